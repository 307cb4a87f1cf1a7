"""An issuer of tokens on loopback: metadata, keys that rotate, and the few endpoints that OAuth clients ask."""

import base64
import functools
import hashlib
import hmac
import json
import threading
import time
from collections import Counter
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwk, jws

AUDIENCE = "https://biofact.example.org/mcp"


@functools.cache
def key(name="first", kind="RSA", shape=2048):
    """A private key, made once for all tests."""
    return jwk.generate_key(kind, shape, {"kid": name})


def public(*keys, **parameters):
    """The keys as an issuer publishes them."""
    return {"keys": [key.as_dict(private=False, **parameters) for key in keys]}


def segment(value):
    whole = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(whole).rstrip(b"=").decode()


def signed(claims, signing=None, algorithm="RS256", **header):
    """A JWT; ``header`` replaces its own values, and removes those that are None. A key of bytes is a shared secret."""
    signing = key() if signing is None else signing
    full_header = {
        "alg": algorithm,
        "typ": "at+jwt",
        "kid": None if isinstance(signing, bytes) else signing.kid,
        **header,
    }
    message = f"{segment({name: value for name, value in full_header.items() if value is not None})}.{segment(claims)}"
    if isinstance(signing, bytes):
        signature = hmac.digest(signing, message.encode(), f"sha{algorithm.removeprefix('HS')}")
    else:
        signature = jws.JWSRegistry.algorithms[algorithm].sign(message.encode(), signing)
    return f"{message}.{segment(signature)}"


class Issuer:
    """An issuer: documents by path, counts of requests, and tokens.

    It grants the requested scopes, except for grants listed in ``scopes_by_grant`` by number, from 1 on.
    """

    def __init__(self, path=""):
        self.documents = {}
        self.request_counts = Counter()
        self.granted = []
        self.challenges = {}
        self.scopes_by_grant = {}
        self.audience = AUDIENCE
        handler = type("Handler", (_Handler,), {"issuer": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        self.url = f"{self.origin}{path}"
        self.documents["/jwks.json"] = public(key())
        self.documents[f"/.well-known/oauth-authorization-server{path}"] = self.metadata()

    def metadata(self, **changes):
        return {
            "issuer": self.url,
            "jwks_uri": f"{self.origin}/jwks.json",
            "authorization_endpoint": f"{self.origin}/authorize",
            "token_endpoint": f"{self.origin}/token",
            "registration_endpoint": f"{self.origin}/register",
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "client_credentials"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
            **changes,
        }

    def claims(self, **changes):
        """The claims of a valid token; a change to None removes a claim."""
        now = int(time.time())
        whole = {
            "iss": self.url,
            "aud": self.audience,
            "sub": "user-1",
            "client_id": "client-1",
            "iat": now,
            "exp": now + 300,
            "scope": "openid toy doll",
            **changes,
        }
        return {name: value for name, value in whole.items() if value is not None}

    def token(self, **changes):
        return signed(self.claims(**changes))

    def publish(self, *keys):
        self.documents["/jwks.json"] = public(*keys)

    def start(self):
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def stop(self):
        """Shut the issuer down."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@contextmanager
def run_issuer(path=""):
    """A running issuer; a test may stop it earlier."""
    issuer = Issuer(path)
    issuer.start()
    try:
        yield issuer
    finally:
        issuer.stop()


class _Handler(BaseHTTPRequestHandler):
    issuer: Issuer

    def do_GET(self):
        parts = urlsplit(self.path)
        self.issuer.request_counts[parts.path] += 1
        if parts.path == "/authorize":
            self._authorize({name: values[0] for name, values in parse_qs(parts.query).items()})
        elif parts.path in self.issuer.documents:
            self._answer(200, self.issuer.documents[parts.path])
        else:
            self._answer(404, {})

    def do_POST(self):
        self.issuer.request_counts[self.path] += 1
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path == "/register":
            self._answer(201, {**json.loads(body), "client_id": "registered"})
        else:
            self._grant({name: values[0] for name, values in parse_qs(body.decode()).items()})

    def _authorize(self, parameters):
        code = f"code-{len(self.issuer.challenges) + 1}"
        self.issuer.challenges[code] = parameters
        query = urlencode({"code": code, "state": parameters["state"]})
        self.send_response(302)
        self.send_header("location", f"{parameters['redirect_uri']}?{query}")
        self.send_header("content-length", "0")
        self.end_headers()

    def _grant(self, form):
        if form["grant_type"] == "authorization_code":
            authorized = self.issuer.challenges[form["code"]]
            challenge = segment(hashlib.sha256(form["code_verifier"].encode()).digest())
            assert challenge == authorized["code_challenge"]
            form = {"scope": authorized.get("scope", ""), **form}
        self.issuer.granted.append(form)
        scope = self.issuer.scopes_by_grant.get(len(self.issuer.granted), form.get("scope", ""))
        token = self.issuer.token(aud=form.get("resource"), scope=scope)
        self._answer(200, {"access_token": token, "token_type": "Bearer", "expires_in": 300, "scope": scope})

    def _answer(self, status, document):
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
