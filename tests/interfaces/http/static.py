"""Static tokens as made by the command, without its process."""

from datetime import UTC, datetime, timedelta

from biofact.gateway.tokens import StaticToken, TokenList, digest, new_token


def entry(name, token, scopes=(), *, days=None):
    now = datetime.now(UTC)
    return StaticToken(
        name=name,
        sha256=digest(token),
        scopes=tuple(scopes),
        created=now,
        expires=now + timedelta(days=days) if days else None,
    )


def write(file, *entries):
    """Replace the file of tokens by one with these entries."""
    part = file.with_name("part")
    part.touch(0o600)
    part.write_text(TokenList(tokens=entries).model_dump_json())
    part.replace(file)


def with_tokens(folder, *names, **options):
    """New tokens of these names in the file of a folder."""
    tokens = [new_token() for _ in names]
    write(folder / "tokens.json", *[entry(name, token, **options) for name, token in zip(names, tokens, strict=True)])
    return tokens
