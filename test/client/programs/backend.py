"""A shop's backend by hccheckout.py: given the companion and signed requests, it prints what it has done."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(sys.argv[1]))
sys.dont_write_bytecode = True
from hccheckout import CheckoutError, Client, NoticeError, verify_notice  # noqa: E402

given = json.loads(os.environ["GIVEN"])
hc = Client(given["url"], given["key"])
terms = {"amount": 2500, "currency": "KES", "description": "Solar lamp", "orderId": "Nº 1 – “é”"}


def fault(call):
    try:
        call()
        return ["none", None]
    except CheckoutError as error:
        return ["the key is in it", None] if "mk_test" in repr(error) else [error.code, error.field]
    except NoticeError as error:
        return [error.code, None]
    except ValueError:
        return ["argument", None]


def verified(one):
    return verify_notice(one["body"].encode(), one["headers"], one.get("secret", given["secret"]))


first = hc.create_session(terms)
again = hc.create_session(terms)
listed = [payment["orderId"] for payment in hc.payments(limit=1, currency="KES")]
payment_id = given["paymentId"]
phases = [
    hc.refresh(payment_id)["phase"],
    hc.decide(payment_id, "succeeded", "The portal shows it.", "Wanjiru")["phase"],
]
detail = hc.payment(payment_id)
print(
    json.dumps(
        {
            "same": first["id"] == again["id"],
            "session": hc.session(first["id"])["orderId"],
            "listed": listed,
            "phases": phases,
            "found": hc.payment(detail["reference"])["id"] == payment_id,
            "resent": hc.resend(payment_id),
            "faults": [
                fault(lambda: hc.decide(payment_id, "failed", "x", "y")),
                fault(lambda: hc.create_session({**terms, "payer": {"phone": "none"}})),
                fault(lambda: Client(given["url"], "mk_wrong").payments_page()),
                fault(lambda: Client(given["closed"], given["key"], retries=0).payments_page()),
                fault(lambda: hc.resend("dep_lost")),
                fault(lambda: Client(f"{given['url']}/hotel", given["key"]).payments_page()),
                fault(lambda: Client(f"{given['url']}/moved", given["key"]).payments_page()),
                fault(lambda: hc.payment("")),
                fault(lambda: Client("", given["key"])),
                fault(lambda: Client(given["url"], "")),
            ],
            "believed": [fault(lambda one=one: verified(one))[0] for one in given["notices"]],
            "orderId": verified(given["notices"][0])["data"]["orderId"],
        },
        ensure_ascii=False,
    )
)
