"""My account: name and password, sessions, second factor, and recovery."""

from __future__ import annotations

import msgspec

from tsukimi.server.accounts import accounts, codes
from tsukimi.server.accounts.sessions import session_digest, token_id
from tsukimi.server.common import account_api as api
from tsukimi.server.common.account_api import Account, Codes, Done, Registered, SessionInfo, TotpSetup
from tsukimi.server.common.api import Me
from tsukimi.server.http.handlers.me import who_am_i
from tsukimi.server.http.routes import Context, route
from tsukimi.store import Person

# ---- in and out ------------------------------------------------------------------------------------


@route("POST", "/api/account", Registered, access="browser", body=api.Register, errors=(409, 503))
async def register(ctx: Context) -> Registered:
    """Give me a name and a password to log in with elsewhere. Games and ratings are kept."""
    new: api.Register = ctx.body
    ctx.limit("register", ctx.caller.key)
    ctx.person, shown = await ctx.accounts.register(ctx.me, new.name, new.password)
    session = ctx.people.sessions.cookies.read_from(ctx.request.headers)
    assert session is not None  # the route requires the cookie
    await ctx.people.sessions.touch(ctx.me, session, ctx.request.headers)
    ctx.cookie, ctx.session, ctx.device = ctx.me, session.id, True
    return Registered(**msgspec.structs.asdict(await who_am_i(ctx)), codes=shown)


@route("POST", "/api/login", Me, access="public", body=api.Login, errors=(401, 503))
async def login(ctx: Context) -> Me:
    """Become the person of an account."""
    given: api.Login = ctx.body
    ctx.person = await ctx.accounts.login(
        accounts.Login(given.name, given.password, given.code, ctx.caller.key, ctx.request.headers)
    )
    ctx.session = await ctx.people.sessions.start(ctx.person, ctx.request.headers)
    ctx.cookie, ctx.device = ctx.person, True
    return await who_am_i(ctx)


@route("POST", "/api/logout", Me, access="browser")
async def logout(ctx: Context) -> Me:
    """Become a new guest on this device."""
    ctx.limit("guest", ctx.caller.key)
    await ctx.people.sessions.end_current(ctx.request.headers)
    return await become_guest(ctx, ctx.me)


async def become_guest(ctx: Context, before: Person) -> Me:
    ctx.person = ctx.cookie = await ctx.people.create_guest(before.lang)
    return await who_am_i(ctx)


@route("GET", "/api/me/sessions", list[SessionInfo], access="browser")
async def sessions(ctx: Context) -> list[SessionInfo]:
    """The devices where I am logged in, last used first. A guest has none."""
    return await my_sessions(ctx)


@route("DELETE", "/api/me/sessions/{id}", list[SessionInfo], access="browser", errors=(404,))
async def end_session(ctx: Context) -> list[SessionInfo]:
    """Log out on one device; the response lists the others."""
    await ctx.people.sessions.end_one(ctx.me, ctx.path("id"))
    return await my_sessions(ctx)


@route("DELETE", "/api/me/sessions", Me, access="browser", errors=(409,))
async def end_sessions(ctx: Context) -> Me:
    """Log out everywhere, including here; the personal link ends as well."""
    ctx.limit("guest", ctx.caller.key)
    return await become_guest(ctx, await ctx.people.sessions.end_all(ctx.me))


async def my_sessions(ctx: Context) -> list[SessionInfo]:
    current = ctx.people.sessions.cookies.read_from(ctx.request.headers)
    mine = b"" if current is None else session_digest(current)
    rows = await ctx.people.sessions.list(ctx.me)
    return [SessionInfo(token_id(row), row.label, row.at, row.used, row.digest == mine) for row in rows]


# ---- password and recovery -------------------------------------------------------------------------


@route("GET", "/api/account", Account, access="browser")
async def account(ctx: Context) -> Account:
    """How I log in, and how I can recover my account."""
    return await _account(ctx)


async def _account(ctx: Context) -> Account:
    me = ctx.me
    waiting, left = await ctx.recovery.waiting_address(me), await codes.codes_left(ctx.store, me)
    return Account(me.account, ctx.recovery.by_mail, me.email, waiting, me.totp is not None, left)


@route("POST", "/api/account/password", Me, access="browser", body=api.ChangePassword, errors=(409, 503))
async def change_password(ctx: Context) -> Me:
    """Change my password. All other sessions and the personal link end."""
    given: api.ChangePassword = ctx.body
    headers = ctx.request.headers
    ctx.person = ctx.cookie = await ctx.accounts.change_password(ctx.me, given.password, given.new, headers)
    session = ctx.people.sessions.cookies.read_from(headers)
    ctx.session = "" if session is None else session.id
    return await who_am_i(ctx)


@route("POST", "/api/account/codes", Codes, access="browser", body=api.Confirm, errors=(409, 503))
async def recovery_codes(ctx: Context) -> Codes:
    """Ten new recovery codes. The previous ones become invalid."""
    await _confirmed(ctx)
    ctx.limit("token", ctx.me.id)
    return Codes(await codes.new_codes(ctx.store, ctx.me))


@route("POST", "/api/reset/code", Done, access="public", body=api.ResetByCode, errors=(401, 409, 503))
async def reset_by_code(ctx: Context) -> Done:
    """A new password with a recovery code. All sessions, tokens and the personal link end."""
    given: api.ResetByCode = ctx.body
    ctx.limit("reset", ctx.caller.key)
    await ctx.recovery.by_code(given.name, given.code, given.new)
    return Done()


@route("POST", "/api/reset/mail", Done, access="public", body=api.AskReset, errors=(409,))
async def ask_reset(ctx: Context) -> Done:
    """Send a link to the e-mail address of an account. The response does not reveal whether there is one."""
    wanted: api.AskReset = ctx.body
    ctx.limit("reset", ctx.caller.key)
    await ctx.recovery.send_reset(wanted.name, ctx.lang)
    return Done()


@route("POST", "/api/reset/link", Done, access="public", body=api.ResetByLink, errors=(401, 409, 503))
async def reset_by_link(ctx: Context) -> Done:
    """A new password with the link from an e-mail. All sessions, tokens and the personal link end."""
    given: api.ResetByLink = ctx.body
    ctx.limit("reset", ctx.caller.key)
    await ctx.recovery.by_link(given.token, given.new)
    return Done()


@route("POST", "/api/account/email", Account, access="browser", body=api.ChangeEmail, errors=(409, 503))
async def change_email(ctx: Context) -> Account:
    """Send a link to an e-mail address, which becomes mine when it is opened."""
    given: api.ChangeEmail = ctx.body
    await ctx.accounts.check_password(ctx.me, given.password)
    await ctx.recovery.send_confirmation(ctx.me, given.email, ctx.lang)
    return await _account(ctx)


@route("DELETE", "/api/account/email", Account, access="browser", errors=(409,))
async def end_email(ctx: Context) -> Account:
    """Remove my e-mail address."""
    ctx.person = await ctx.recovery.remove_address(ctx.me)
    return await _account(ctx)


# ---- the second factor -----------------------------------------------------------------------------


@route("POST", "/api/account/totp", TotpSetup, access="browser", body=api.Confirm, errors=(409, 503))
async def begin_totp(ctx: Context) -> TotpSetup:
    """A secret for an authenticator app. Nothing changes until a code confirms it."""
    await _confirmed(ctx)
    return TotpSetup(*ctx.accounts.begin_totp(ctx.me))


@route("PUT", "/api/account/totp", Account, access="browser", body=api.ConfirmTotp, errors=(401, 409))
async def confirm_totp(ctx: Context) -> Account:
    """Require a code from the app at every login from now on."""
    given: api.ConfirmTotp = ctx.body
    ctx.person = await ctx.accounts.confirm_totp(ctx.me, given.nonce, given.code)
    return await _account(ctx)


@route("POST", "/api/account/totp/end", Account, access="browser", body=api.Confirm, errors=(409, 503))
async def end_totp(ctx: Context) -> Account:
    """Log in without a second factor again."""
    await _confirmed(ctx)
    ctx.person = await ctx.accounts.end_totp(ctx.me)
    return await _account(ctx)


async def _confirmed(ctx: Context) -> None:
    given: api.Confirm = ctx.body
    await ctx.accounts.check_password(ctx.me, given.password)
