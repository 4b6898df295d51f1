# A shop with the standard library of Python alone. Beside it lies hccheckout.py of
# hc-checkout-client.
import html
import os
import sqlite3
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from hccheckout import Client, NoticeError, notice_keys, verify_notice

COMPANION = os.environ["COMPANION"]
hc = Client(COMPANION, os.environ["HC_MERCHANT_KEY"])
notice_keys(os.environ["HC_NOTIFY_SECRET"])  # a secret that no companion has ends the program here
PAGE = """<!doctype html>
<title>Lamps</title>
<script type="module" src="{companion}/widget/v1/hc-checkout.js"></script>
<script nomodule src="{companion}/widget/v1/hc-checkout-legacy.js"></script>
<hc-checkout companion="{companion}" session="{token}"></hc-checkout>
<p id="thanks" hidden>Thank you for the lamp!</p>
<script>
  document.querySelector('hc-checkout').addEventListener('hc-success', () => (thanks.hidden = false))
</script>"""


def take(notice: dict) -> None:
    payment = notice["data"]
    db = sqlite3.connect(os.environ.get("DATABASE", "shop.db"))
    with db:  # one transaction: the primary key makes a repeat harmless
        db.execute("CREATE TABLE IF NOT EXISTS credited (order_id TEXT PRIMARY KEY, payment_id TEXT)")
        if notice["type"] == "payment.succeeded" and payment["amount"] == 2300 and payment["currency"] == "KES":
            row = (payment.get("orderId", ""), payment["paymentId"])
            if db.execute("INSERT OR IGNORE INTO credited VALUES (?, ?)", row).rowcount == 1:
                print("credit", *row, flush=True)
    db.close()


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/":
            return self.answer(404)
        order = {"amount": 2300, "currency": "KES", "orderId": "A-1", "description": "Lamp"}
        token = hc.create_session(order)["token"]  # the same one at each reload
        self.answer(200, PAGE.format(companion=html.escape(COMPANION), token=html.escape(token)))

    def do_POST(self):
        body = self.rfile.read(min(int(self.headers.get("content-length", "0")), 65536))
        try:
            take(verify_notice(body, self.headers, os.environ["HC_NOTIFY_SECRET"]))
        except NoticeError:
            return self.answer(401)
        self.answer(204)

    def answer(self, status: int, text: str = ""):
        self.send_response(status)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("cache-control", "no-store")  # no cache may give the token to another customer
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Shop).serve_forever()
