"""QR codes as rows of modules, which ``appliance.display.drawing`` draws."""


def qr_rows(text: str, *, dense: bool = False) -> list[str]:
    """Return the code's rows, of 0 and 1 each, without an edge; ``dense``: with the least correction of errors, so that a long text has larger modules."""
    from qrcode.constants import ERROR_CORRECT_L, ERROR_CORRECT_M  # noqa: PLC0415 - only where a code is shown
    from qrcode.main import QRCode  # noqa: PLC0415 - as above

    code = QRCode(border=0, error_correction=ERROR_CORRECT_L if dense else ERROR_CORRECT_M)
    code.add_data(text)
    return ["".join("01"[module] for module in row) for row in code.get_matrix()]
