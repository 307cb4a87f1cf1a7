"""Values of settings that cannot be read, and the values that their errors suggest."""

import pytest

from biofact.core.settings import Setting, Settings, setting_faults

pytestmark = pytest.mark.quick

WEB = Setting("A_URL", "An address.", default="https://service.example/api")
MODEL = Setting("B_URL", "An address without a default.", example="http://127.0.0.1:11434/v1")
REDIS = Setting("C_URL", "A Redis.", example="redis://127.0.0.1:6379/0")
SWITCH = Setting("D", "A switch.", is_switch=True)
TEXT = Setting("E", "Any text.", default="default")
ALL = (WEB, MODEL, REDIS, SWITCH, TEXT)


def faults(**values: str) -> dict[str, str]:
    return {fault.setting.name: fault.expected for fault in setting_faults(Settings(values), ALL)}


def test_a_value_of_the_right_form_is_no_fault(subtests):
    cases = [
        ("A_URL", "http://127.0.0.1:8765/entrez/eutils"),
        ("A_URL", "https://ann:secret@mirror.example/api/"),
        ("A_URL", "http://[::1]:80"),
        ("A_URL", "HTTPS://MIRROR.EXAMPLE"),
        ("C_URL", "rediss://:secret@cache.example:6380/1"),
        ("C_URL", "unix:///run/redis.sock"),
        ("D", "Yes"),
        ("D", "0"),
        ("D", " off "),
        ("E", "perhaps"),
    ]
    for name, value in cases:
        with subtests.test(name=name, value=value):
            assert faults(**{name: value}) == {}


def test_an_unset_setting_is_no_fault():
    assert faults() == faults(A_URL=" ", D="") == {}


def test_a_value_that_is_no_address_is_a_fault(subtests):
    for value in [
        "service.example",
        "ftp://service.example",
        "http://",
        "http://[::1",
        "http://a:port",
        "http://a:0",
        "http://a b",
    ]:
        with subtests.test(value=value):
            assert faults(A_URL=value, B_URL=value) == {
                "A_URL": "a value like https://service.example/api",
                "B_URL": "a value like http://127.0.0.1:11434/v1",
            }


def test_each_form_has_its_own_faults():
    assert faults(C_URL="http://127.0.0.1", D="perhaps") == {
        "C_URL": "a value like redis://127.0.0.1:6379/0",
        "D": "yes or no",
    }
