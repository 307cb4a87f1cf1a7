"""What of the environment biofact reads: its settings, proxies and certificates, each with where the value is from."""

import difflib
import platform
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.request import getproxies

import biofact
from biofact.core.settings import Setting, Settings, declared, setting_faults
from biofact.gateway import audit as _audit_file  # noqa: F401  # so does this
from biofact.gateway import authentication as _authentication  # noqa: F401  # declares them
from biofact.gateway import hosting as _hosting  # noqa: F401  # declares them
from biofact.interfaces import every_source
from biofact.interfaces import telemetry as _telemetry  # noqa: F401  # declares settings
from biofact.interfaces.sandbox_option import FLAG
from biofact.transport.service import redacted

Row = dict[str, Any]

FOR_TESTS = (
    Setting("BIOFACT_RECORDINGS", "The folder of recorded answers; for biofact's own tests."),
    Setting("BIOFACT_REQUIRE_RECORDINGS", "Fail without recordings; for biofact's own tests.", is_switch=True),
    Setting("BIOFACT_REQUIRE_EXTRAS", "Fail without what the extras need; for biofact's own tests.", is_switch=True),
)
_PROXIES = {"http": "http:// addresses", "https": "https:// addresses", "all": "all other addresses"}
_CERTIFICATES = {
    "SSL_CERT_FILE": "File of the certificates to trust, in place of the system's.",
    "SSL_CERT_DIR": "Folder of the certificates to trust; not read where SSL_CERT_FILE is set.",
}
_NOT_SET = "not set"
_ENVIRONMENT = "environment"
_ALIKE = 0.85  # of two names: a slip of a letter or two


def all_settings() -> list[Setting]:
    """The settings of all parts, by name; those of the tests are no parts of biofact."""
    for name in every_source.toolsets():
        every_source.client_class(name)  # imports what declares them
    return sorted(declared(), key=lambda setting: setting.name)


def setting_rows(in_force: Settings, given: Settings) -> list[Row]:
    """Each setting: its value ``in_force``, and whether it was ``given``, is the sandbox's, or nobody's.

    One whose value cannot be read says what is ``expected``.
    """
    shown = [*all_settings(), *(setting for setting in FOR_TESTS if given.is_set(setting))]
    faults = {fault.setting: {"expected": fault.expected} for fault in setting_faults(in_force, shown)}
    return [
        {
            "name": setting.name,
            "origin": _origin(setting, in_force, given),
            "value": _shown_value(setting, in_force),
            "meaning": setting.meaning,
            **faults.get(setting, {}),
        }
        for setting in shown
    ]


def network_rows(environment: Mapping[str, str]) -> list[Row]:
    """The proxies and certificates of the HTTP client, as it reads them: variables first, then the system's settings.

    In small letters a variable counts before the same in capital ones.
    """
    in_force = getproxies()
    rows = [_proxy(scheme, f"Proxy for {meaning}.", in_force, environment) for scheme, meaning in _PROXIES.items()]
    rows.append(_proxy("no", "Hosts that are asked without a proxy; * is all.", in_force, environment))
    for name, meaning in _CERTIFICATES.items():
        value = environment.get(name, "")
        origin = _ENVIRONMENT if value else "default"
        rows.append({"name": name, "origin": origin, "value": value or "the system's", "meaning": meaning})
    return rows


def unknown_rows(environment: Mapping[str, str]) -> list[Row]:
    """Variables that look like settings and are none, each with the setting that is probably meant."""
    known = [setting.name for setting in (*all_settings(), *FOR_TESTS)]
    return [
        {"name": name, "closest": closest}
        for name in sorted(set(environment) - set(known))
        if (closest := _closest(name, known)) is not None
    ]


def installation_rows() -> list[Row]:
    """Which biofact this is, and what runs it."""
    return [{"name": name, "value": value} for name, value in _installation()]


def _installation() -> Iterator[tuple[str, str]]:
    yield "biofact", biofact.__version__
    yield "python", f"{platform.python_version()}, {sys.executable}"
    yield "platform", platform.platform()
    yield "command", _script() or f"{sys.executable} -m biofact; there is no command biofact beside it"
    yield "package", str(Path(biofact.__file__).parent)


def _script() -> str:
    """The command of this installation, wherever the PATH leads."""
    suffix = ".exe" if sys.platform == "win32" else ""
    folders = (Path(sys.executable).parent, Path(sysconfig.get_path("scripts")))
    scripts = (folder / f"biofact{suffix}" for folder in folders)
    return next((str(script) for script in scripts if script.is_file()), "")


def _shown_value(setting: Setting, settings: Settings) -> str:
    if not settings[setting]:
        return _NOT_SET
    return "set" if setting.is_secret else redacted(settings[setting], settings)


def _origin(setting: Setting, in_force: Settings, given: Settings) -> str:
    if in_force[setting] != given[setting]:
        return FLAG
    if given.is_in_file(setting):
        return "file"
    return _ENVIRONMENT if given.is_set(setting) else "default"


def _proxy(scheme: str, meaning: str, in_force: Mapping[str, str], environment: Mapping[str, str]) -> Row:
    names = [name for name in environment if name.lower() == f"{scheme}_proxy" and environment[name]]
    written = in_force.get(scheme, "")
    is_bare = bool(written) and scheme != "no" and "://" not in written
    value = redacted(f"http://{written}" if is_bare else written, Settings(environment))
    origin = "default" if not value else _ENVIRONMENT if names else "system"
    name = min(names, key=str.isupper, default=f"{scheme}_proxy".upper())
    return {"name": name, "origin": origin, "value": value or _NOT_SET, "meaning": meaning}


def _closest(name: str, known: list[str]) -> str | None:
    """The setting that a name resembles; empty for one of ours that resembles none, None for somebody else's."""
    is_ours = name.upper().startswith("BIOFACT_")
    close = difflib.get_close_matches(name.upper(), known, n=1, cutoff=0.6 if is_ours else _ALIKE)
    if close:
        return close[0]
    return "" if is_ours else None
