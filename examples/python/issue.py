"""Issues a boleta, waits for the SII and saves its PDF."""
import sys

from timbre import Refused, Timbre

timbre = Timbre()
try:
    boleta = timbre.call(
        "POST",
        "/documents",
        {"tipo_dte": 39, "items": [{"description": "Café", "quantity": 2, "unit_price": 1990}]},
    )
    settled = timbre.settled(boleta["id"])
    print(settled["status"], "boleta", settled["folio"], "total", settled["totals"]["total"])
    with open("boleta.pdf", "wb") as file:
        file.write(timbre.call("GET", f'/documents/{boleta["id"]}/pdf', query={"format": "ticket_80"}))
except Refused as refused:
    sys.exit(f"{refused.status} {refused}")
