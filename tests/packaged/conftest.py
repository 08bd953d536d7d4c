"""What is measured on the appliance is printed at the end of the run."""

from tests.machine.figures import told

pytest_configure, figures = told("the appliance")
