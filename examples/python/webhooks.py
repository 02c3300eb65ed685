import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def is_genuine(body, header, secret, now=None):
    """Whether this body was sent by whoever knows the secret, within five minutes. Whatever the header holds, it only says yes or no."""
    parts = [part.strip().partition("=") for part in (header or "").split(",")]
    moment = next((value for name, _, value in parts if name == "t"), "")
    now = time.time() if now is None else now
    if not re.fullmatch(r"[0-9]{1,12}", moment) or abs(now - int(moment)) >= 300:
        return False
    mine = hmac.new(secret.encode(), moment.encode() + b"." + body, hashlib.sha256).hexdigest().encode()
    # Bytes and not text: compare_digest raises on text that is not ASCII.
    return any(hmac.compare_digest(mine, value.encode("utf-8", "replace")) for name, _, value in parts if name == "v1")


SEEN = {}  # what happened, by its id: a delivery may come twice


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        body = self.rfile.read(int(length)) if re.fullmatch(r"[0-9]{1,8}", length) else b""
        if not is_genuine(body, self.headers.get("Svc-Signature"), os.environ["WEBHOOK_SECRET"]):
            return self.answer(400)
        event = json.loads(body)
        if event["id"] not in SEEN:
            print(f'{event["type"]} {event["data"]["object"].get("id", "")}', flush=True)
        SEEN[event["id"]] = event
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass  # one line for each event is enough


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver)
    print(f"listening on {server.server_address[1]}", flush=True)
    server.serve_forever()
