"""What the pages show of tables, stations and devices, as frozen values. Pure: from the picture and the rows, at an instant."""
