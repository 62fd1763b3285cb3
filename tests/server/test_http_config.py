"""Where settings come from, and what is said about bad ones."""

import os
import re
import stat
from pathlib import Path

import msgspec
import pytest

from tsukimi.core.errors import BadOptions
from tsukimi.server import config
from tsukimi.server.config import Config

ROOT = Path(__file__).parents[2]


def load(tmp_path, options=None, file=None, **env):
    return config.load(options, {"XDG_DATA_HOME": str(tmp_path), **env}, file and str(file))


def refused(tmp_path, code, options=None, file=None, **env):
    with pytest.raises(BadOptions) as caught:
        load(tmp_path, options, file, **env)
    assert caught.value.code == code
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_options_beat_the_environment_which_beats_the_file_which_beats_the_defaults(tmp_path):
    file = tmp_path / "tsukimi.toml"
    file.write_text('port = 1\nhost = "a"\nbus = ""\nproxies = ["10.0.0.0/8"]\n')
    found = load(tmp_path, {"port": 3, "host": None}, file, TSUKIMI_PORT="2", TSUKIMI_HOST="b")
    assert (found.port, found.host, found.proxies, found.log_level) == (3, "b", ["10.0.0.0/8"], "info")
    assert load(tmp_path, None, file).port == 1
    assert load(tmp_path).port == 8377
    assert load(tmp_path, TSUKIMI_CONFIG=str(file)).port == 1


def test_the_environment_knows_numbers_and_lists(tmp_path):
    found = load(
        tmp_path, TSUKIMI_PROXIES="127.0.0.1, ::1,", TSUKIMI_RATE="0.5", TSUKIMI_ORIGINS="", TSUKIMI_BUILD="plain"
    )
    assert (found.proxies, found.rate, found.origins) == (["127.0.0.1", "::1"], 0.5, [])


def test_without_a_word_everything_lies_in_the_data_folder(tmp_path):
    found = load(tmp_path)
    assert found.database == f"sqlite:///{tmp_path}/tsukimi/tsukimi.db"
    secret = tmp_path / "tsukimi" / "secret"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert secret.read_text().strip() == found.secret == load(tmp_path).secret
    assert len(found.secret) >= 64


def test_a_given_secret_or_its_file_is_used_and_nothing_is_written(tmp_path):
    file = tmp_path / "given"
    file.write_text("f" * 40 + "\n")
    given = {"TSUKIMI_DATABASE": "sqlite://:memory:"}
    assert load(tmp_path, TSUKIMI_SECRET="g" * 40, **given).secret == "g" * 40
    assert load(tmp_path, TSUKIMI_SECRET_FILE=str(file), **given).secret == "f" * 40
    assert not (tmp_path / "tsukimi").exists()


def test_a_bad_setting_is_reported_in_one_line(tmp_path):
    file = tmp_path / "bad.toml"
    for text, code in [
        ("prot = 1", "server-config"),
        ("port = ", "server-config-file"),
        ('port = "x"', "server-config"),
    ]:
        file.write_text(text)
        refused(tmp_path, code, None, file)
    refused(tmp_path, "server-config-file", None, tmp_path / "none.toml")
    refused(tmp_path, "server-config", TSUKIMI_PORT="99999")
    refused(tmp_path, "server-config", TSUKIMI_LOG_LEVEL="loud")
    refused(tmp_path, "server-secret-short", TSUKIMI_SECRET="short")
    refused(tmp_path, "server-network", TSUKIMI_PROXIES="localhost")
    refused(tmp_path, "server-network", TSUKIMI_METRICS_FROM="10.0.0.0/99")
    for url in ("games.example.org", "ftp://x", "https://", "https://x/path"):
        refused(tmp_path, "server-url", TSUKIMI_PUBLIC_URL=url)
        refused(tmp_path, "server-url", TSUKIMI_ORIGINS=url)


def test_a_bad_service_url_is_reported_without_its_password(tmp_path):
    for name in ("DATABASE", "BUS"):
        for url in ("mysql://me:hunter2@host", "hunter2"):
            assert "hunter2" not in refused(tmp_path, "server-url", **{f"TSUKIMI_{name}": url})


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(config, "find_spec", lambda name: None)
    assert 'pip install "tsukimi[postgres]"' in refused(tmp_path, "server-extra", TSUKIMI_DATABASE="postgresql://h/d")
    assert 'pip install "tsukimi[redis]"' in refused(tmp_path, "server-extra", TSUKIMI_BUS="redis://h")


@pytest.mark.skipif(os.name == "nt", reason="a matter of Unix paths")
def test_a_data_folder_that_cannot_be_created_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    refused(tmp_path, "server-data", TSUKIMI_DATA=str(tmp_path / "file" / "below"))


def test_a_configuration_shows_no_secret():
    shown = repr(Config(secret="s" * 40, database="postgresql://me:hunter2@h/d", metrics_token="t0k3n"))
    assert "sss" not in shown and "hunter2" not in shown and "t0k3n" not in shown


def test_keys_for_different_uses_differ():
    one = Config(secret="s" * 40)
    assert one.key("cookie") == Config(secret="s" * 40).key("cookie")
    assert len({one.key("cookie"), one.key("other"), Config(secret="t" * 40).key("cookie")}) == 3


def test_every_setting_is_documented_and_the_example_file_is_valid(tmp_path):
    text = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    for field in msgspec.structs.fields(Config):
        assert f"`{field.name}`" in text, field.name
    example = (ROOT / "deploy" / "tsukimi.toml").read_text("utf-8")
    file = tmp_path / "all.toml"
    # A comment without a space after its `#` is a setting that may be switched on.
    lines = [line[1:] if re.match("#[a-z]", line) else line for line in example.splitlines()]
    file.write_text("\n".join(lines).replace("/var/lib/tsukimi", str(tmp_path)))
    load(tmp_path, None, file)


def test_networks_are_named_in_the_file_and_in_the_environment(tmp_path):
    file = tmp_path / "tsukimi.toml"
    file.write_text('[networks]\ntanuki = "/a/b.npz"\n')
    assert load(tmp_path, None, file).networks == {"tanuki": "/a/b.npz"}
    found = load(tmp_path, None, file, TSUKIMI_NETWORKS="one=/a.npz, two = c=d.npz")
    assert found.networks == {"one": "/a.npz", "two": "c=d.npz"}
    refused(tmp_path, "server-config", TSUKIMI_NETWORKS="../x=/a.npz")
