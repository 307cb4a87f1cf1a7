"""Settings of authentication over HTTP: the trusted issuer, and the file of static tokens."""

import ipaddress
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from biofact.core.settings import Setting, Settings, config_folder, declare, setting_faults
from biofact.core.usage import WrongUsage

HTTP_URL = declare(
    Setting(
        "BIOFACT_HTTP_URL",
        "Where clients reach the endpoint of a server over HTTP; an issuer's tokens have to be meant for it.",
        example="https://biofact.example.org/mcp",
    )
)
ISSUER = declare(
    Setting(
        "BIOFACT_AUTH_ISSUER",
        "Whose JWTs open a server over HTTP: the issuer, exactly as its tokens name it.",
        example="https://login.example.org",
    )
)
AUDIENCE = declare(
    Setting(
        "BIOFACT_AUTH_AUDIENCE",
        "Whom the issuer's tokens are for, exactly as their aud names this server; by default BIOFACT_HTTP_URL.",
        example="api://biofact",
    )
)
JWKS_URL = declare(
    Setting(
        "BIOFACT_AUTH_JWKS_URL",
        "Where the issuer's keys are; by default where its metadata says.",
        example="https://login.example.org/jwks.json",
    )
)
SCOPES = declare(
    Setting(
        "BIOFACT_AUTH_SCOPES",
        "Whether a JWT may ask only the sources that its scopes name; else it may ask every source.",
        default="yes",
        is_switch=True,
    )
)
TOKENS = declare(
    Setting(
        "BIOFACT_TOKENS",
        "File of the static tokens that `biofact token` writes; by default in the user's configuration.",
    )
)


@dataclass(frozen=True, slots=True)
class TrustedIssuer:
    """An issuer whose JWTs are accepted, and the conditions for them."""

    issuer: str
    url: str
    """The canonical URL of our endpoint, without a slash at its end."""
    audiences: tuple[str, ...]
    """The values of `aud` that a token may have; one is enough."""
    jwks_url: str | None
    has_scopes: bool
    """Whether its tokens name the sources that they are for."""


def trusted_issuer(settings: Settings, path: str) -> TrustedIssuer | None:
    """The trusted issuer; None where the settings name none. ``path`` is that of our endpoint, as ``/mcp``.

    Raises:
        WrongUsage: a URL is malformed or not encrypted, or a setting is set without another that it needs.
    """
    if any(setting_faults(settings, (SCOPES,))):  # a value that is neither yes nor no must not open every source
        raise WrongUsage(f"{SCOPES.name} is {settings[SCOPES]!r:.80}.", hint="Set it to yes or no.")
    if not settings[ISSUER]:
        if settings[JWKS_URL]:
            raise _missing(ISSUER, f"{JWKS_URL.name} is set, and nothing says whose keys these are.")
        if settings[AUDIENCE]:
            raise _missing(ISSUER, f"{AUDIENCE.name} is set, and nothing says whose tokens these are.")
        return None
    if not settings[HTTP_URL]:
        raise _missing(HTTP_URL, f"{ISSUER.name} is set, and nothing says where clients reach this server.")
    _address(ISSUER, settings)
    canonical = _address(HTTP_URL, settings)
    if not canonical.path.rstrip("/").endswith(path):
        hint = f"Set it to the address of the endpoint, like {HTTP_URL.example}."
        raise WrongUsage(f"{HTTP_URL.name} does not end in {path}, where this server answers.", hint=hint)
    if settings[JWKS_URL]:
        _address(JWKS_URL, settings, may_have_query=True)
    place = canonical.netloc.lower().removesuffix(":443" if canonical.scheme == "https" else ":80")
    url = f"{canonical.scheme}://{place}{canonical.path.rstrip('/')}"
    return TrustedIssuer(
        settings[ISSUER],
        url,
        _audiences(settings[AUDIENCE], url),
        settings[JWKS_URL] or None,
        settings.is_on(SCOPES),
    )


def tokens_file(settings: Settings) -> Path | None:
    """The path of the file of static tokens, whether or not it exists; None without a setting and a home folder.

    Raises:
        WrongUsage: the setting begins with the home folder of a user, and there is none.
    """
    try:
        if settings[TOKENS]:
            return Path(settings[TOKENS]).expanduser()
        return config_folder(sys.platform, os.environ, Path.home()) / "biofact" / "tokens.json"
    except RuntimeError as error:
        if not settings[TOKENS]:
            return None
        raise WrongUsage(
            f"{TOKENS.name} begins with a home that there is not.", hint="Write the whole path."
        ) from error


def is_encrypted(url: str) -> bool:
    """Whether others cannot read or change what is sent to this URL: it stays on this machine, or goes by TLS."""
    parts = _parts(url)
    if parts is None or not parts.hostname:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_local_host(parts.hostname))


def _audiences(audience: str, url: str) -> tuple[str, ...]:
    """The audience that the setting names; else our URL, with and without a slash at its end."""
    if any(map(str.isspace, audience)) or "," in audience:
        hint = f"Set it to the one text that the issuer writes into aud, like {AUDIENCE.example}, or unset it."
        raise WrongUsage(f"{AUDIENCE.name} is {audience!r:.80}, not one audience.", hint=hint)
    return (audience,) if audience else (url, f"{url}/")


def _address(setting: Setting, settings: Settings, *, may_have_query: bool = False) -> SplitResult:
    parts = _parts(settings[setting])
    is_plain = parts is not None and not (parts.username or parts.password or parts.fragment)
    if parts is None or not parts.hostname or not is_plain or (parts.query and not may_have_query):
        raise WrongUsage(
            f"{setting.name} is not an address that it can be.", hint=f"Set it to one like {setting.example}."
        )
    if not is_encrypted(settings[setting]):
        hint = "Use https://; http:// is for addresses of this machine, such as http://127.0.0.1:8080."
        raise WrongUsage(
            f"{setting.name} is not encrypted, so that anybody on the way could read tokens and get in.", hint=hint
        )
    return parts


def _parts(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        return parts if parts.port != 0 and not any(map(str.isspace, url)) else None
    except ValueError:
        return None


def is_local_host(host: str) -> bool:
    """Whether a name or IP address is one of this machine itself."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _missing(setting: Setting, message: str) -> WrongUsage:
    return WrongUsage(message, hint=f"Set {setting.name} to an address like {setting.example}.")
