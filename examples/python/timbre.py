"""A client with nothing to install: what a call needs, and what to do when it fails."""
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid


class Refused(Exception):
    """An answer of the service that is no success. Branch on `code`, never on the text."""

    def __init__(self, status, error):
        super().__init__(f'{error.get("code")}: {error.get("message")} {error.get("hint", "")}')
        self.status, self.error, self.code = status, error, error.get("code")


class Timbre:
    def __init__(self, url=None, key=None, empresa=None):
        self.url = (url or os.environ["TIMBRE_URL"]).rstrip("/")
        self.key = key or os.environ["TIMBRE_KEY"]
        self.empresa = empresa or os.environ.get("TIMBRE_EMPRESA")

    def call(self, method, path, body=None, query=None, empresa=True, tries=4):
        """Makes a call, and again after 429, 5xx and broken connections: with the same key, so that nothing is done twice."""
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        if empresa and self.empresa:
            headers["Svc-Empresa"] = self.empresa
        if method == "POST":
            headers["Idempotency-Key"] = str(uuid.uuid4())  # once for the call, not once for each try
        address = f"{self.url}/v1{path}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
        data = None if body is None else json.dumps(body).encode()
        for attempt in range(1, tries + 1):
            wait = 2 ** (attempt - 1)
            try:
                request = urllib.request.Request(address, data, headers, method=method)
                with urllib.request.urlopen(request, timeout=30) as answer:
                    content = answer.read()
                    is_json = answer.headers.get_content_type() == "application/json"
                    return json.loads(content) if is_json and content else content
            except urllib.error.HTTPError as refusal:
                told = json.loads(refusal.read() or b"{}").get("error", {})
                wait = min(int(refusal.headers.get("Retry-After") or wait), 60)
                if attempt == tries or not (told.get("retriable") or refusal.code >= 500):
                    raise Refused(refusal.code, told) from None
            except OSError:
                if attempt == tries:
                    raise
            time.sleep(wait)

    def settled(self, document_id):
        """Waits for what the SII says, as often as the answer says that a look is useful."""
        while True:
            document = self.call("GET", f"/documents/{document_id}")
            if document["status"] not in ("queued", "sent"):
                return document
            time.sleep(1)
