# Generated from the description of the API by `npm run client`.
from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import httpx

from . import _models as m
from ._base import OMIT, File, Omit
from ._transport import Transport


class Operations(Transport):
    def get_health(self) -> m.Health:
        """Whether the process is alive. Says nothing about PostgreSQL and Temporal: a restart would not help them."""
        return self._send("GET", "/health", m.Health, path=None, query=None)

    def get_readiness(self) -> m.Readiness:
        """Whether the database and Temporal are reachable. 503 while one of them is down. For load balancers."""
        return self._send("GET", "/health/ready", m.Readiness, path=None, query=None)

    def get_serving(self) -> m.Serving:
        """Whether a load balancer should send requests here. Follows the database alone. While Temporal is down the status is `degraded`: reads and deposits are served, and commands are answered 503."""
        return self._send("GET", "/health/serving", m.Serving, path=None, query=None)

    def log_in(self, *, email: str, password: str) -> m.LoginAnswer:
        """Log an administrator in. The access token works for `expiresIn` seconds, with `x-company-id` of the administrator's company. Servers use an API key instead. Who has a second factor gets no tokens yet, but an `mfaToken` for `POST /v1/auth/mfa`."""
        return self._send("POST", "/v1/auth/login", m.LoginAnswer, path=None, query=None, body={"email": email, "password": password})  # type: ignore[arg-type]

    def finish_login(self, *, mfa_token: str, code: str) -> m.Session:
        """Finish a login with a code of the second factor. A code works once. After 5 wrong codes of an administrator, over all logins, the answer is 429 for 15 minutes."""
        return self._send("POST", "/v1/auth/mfa", m.Session, path=None, query=None, body={"mfaToken": mfa_token, "code": code})

    def refresh_session(self, *, refresh_token: str, user_id: str, idempotency_key: str | None = None) -> m.Session:
        """Exchange a refresh token for a new pair of tokens; it can be used once. A used token ends the session, because somebody may have stolen it. With an idempotency key the exchange can be repeated: the same token and key get the same new refresh token. If that one was exchanged with the same key too, the answer has the latest token of the chain."""
        return self._send("POST", "/v1/auth/refresh", m.Session, path=None, query=None, body={"refreshToken": refresh_token, "userId": user_id}, idempotency_key=idempotency_key, keyed=True)

    def log_out(self) -> m.LogOutAnswer:
        """End all sessions of the caller, at once. Access tokens and refresh tokens stop working; API keys go on."""
        return self._send("POST", "/v1/auth/logout", m.LogOutAnswer, path=None, query=None)

    def change_password(self, *, current_password: str, new_password: str) -> m.Session:
        """Change the password; all sessions end, and the response is a new one. Also ends a temporary password, with which everything but reading is refused."""
        return self._send("POST", "/v1/auth/password", m.Session, path=None, query=None, body={"currentPassword": current_password, "newPassword": new_password})

    def forget_password(self, *, email: str) -> m.ForgetPasswordAnswer:
        """Mail a link with which a forgotten password can be replaced. The answer is the same whether or not an administrator has the address. An address gets at most five links an hour."""
        return self._send("POST", "/v1/auth/password/forgot", m.ForgetPasswordAnswer, path=None, query=None, body={"email": email})

    def reset_password(self, *, token: str, new_password: str) -> m.ResetPasswordAnswer:
        """Choose a new password with a link from a mail; all sessions end. The token works once, for 30 minutes. A second factor stays as it is."""
        return self._send("POST", "/v1/auth/password/reset", m.ResetPasswordAnswer, path=None, query=None, body={"token": token, "newPassword": new_password})

    def begin_second_factor(self) -> m.BeginSecondFactorAnswer:
        """Begin to set up an authenticator app (RFC 6238) as second factor. It counts once a code confirms it. Until then a repetition makes another secret."""
        return self._send("POST", "/v1/auth/totp", m.BeginSecondFactorAnswer, path=None, query=None)

    def confirm_second_factor(self, *, code: str) -> m.ConfirmSecondFactorAnswer:
        """Enable the second factor with a code of the app; the recovery codes are shown once. The service keeps only their hashes. Each one works once, in place of the app."""
        return self._send("POST", "/v1/auth/totp/confirm", m.ConfirmSecondFactorAnswer, path=None, query=None, body={"code": code})

    def disable_second_factor(self, *, code: str) -> m.DisableSecondFactorAnswer:
        """Disable the second factor with one of its codes. Logins then need the password alone, unless the company requires a second factor."""
        return self._send("POST", "/v1/auth/totp/disable", m.DisableSecondFactorAnswer, path=None, query=None, body={"code": code})

    def list_sessions(self) -> m.OpenSessionList:
        """Your open sessions, the latest used first. Each login begins one. It ends with a logout, a new password, or seven days after its last refresh."""
        return self._send("GET", "/v1/auth/sessions", m.OpenSessionList, path=None, query=None)

    def end_session(self, id: str) -> m.EndSessionAnswer:
        """End one of your sessions, at once. Its access tokens and its refresh token stop working."""
        return self._send("DELETE", "/v1/auth/sessions/{id}", m.EndSessionAnswer, path={"id": id}, query=None)

    def register_company(self, *, name: str, admin: Mapping[str, Any], slug: str | None | Omit = OMIT) -> m.RegisterCompanyAnswer:
        """Register a tenant and its owner. The first call of an integration. The owner then logs in and creates an API key."""
        return self._send("POST", "/v1/core/companies", m.RegisterCompanyAnswer, path=None, query=None, body={"name": name, "slug": slug, "admin": admin})

    def get_company(self) -> m.Company:
        """The company named by x-company-id. Its settings, with the defaults where nothing is set."""
        return self._send("GET", "/v1/core/companies/me", m.Company, path=None, query=None)

    def update_company(self, *, name: str | Omit = OMIT, service_fee_basis_points: int | Omit = OMIT, auto_release_hours: int | None | Omit = OMIT, default_seller_id: str | None | Omit = OMIT, default_phone_region: str | None | Omit = OMIT, checkout_hosts: Sequence[str] | Omit = OMIT, brand_color: str | None | Omit = OMIT, settlement_references: Mapping[str, Any] | Omit = OMIT, settlement_fee_basis_points: int | Omit = OMIT, support_email: str | None | Omit = OMIT, require_mfa: bool | Omit = OMIT, terms_url: str | None | Omit = OMIT, address: str | None | Omit = OMIT, tax_number: str | None | Omit = OMIT, registration_number: str | None | Omit = OMIT, order_pages: m.OrderPageChange | Mapping[str, Any] | Omit = OMIT, time_zone: str | None | Omit = OMIT, idempotency_key: str | None = None) -> m.Company:
        """Change the settings of the company; new fees apply to later escrows. Fields that are left out stay as they are; null clears. Setting an act of the order pages to `direct` needs what approving it needs."""
        return self._send("PATCH", "/v1/core/companies/me", m.Company, path=None, query=None, body={"name": name, "service_fee_basis_points": service_fee_basis_points, "auto_release_hours": auto_release_hours, "default_seller_id": default_seller_id, "default_phone_region": default_phone_region, "checkout_hosts": checkout_hosts, "brand_color": brand_color, "settlement_references": settlement_references, "settlement_fee_basis_points": settlement_fee_basis_points, "support_email": support_email, "require_mfa": require_mfa, "terms_url": terms_url, "address": address, "tax_number": tax_number, "registration_number": registration_number, "order_pages": order_pages, "time_zone": time_zone}, idempotency_key=idempotency_key, keyed=True)

    def update_platform_fee(self, id: str, *, system_fee_basis_points: int | Omit = OMIT, payout_limits: Mapping[str, Any] | Omit = OMIT, idempotency_key: str | None = None) -> m.Company:
        """Change the platform's fee on the later escrows of a company. Escrows that exist keep the fee they were created with."""
        return self._send("PATCH", "/v1/core/companies/{id}", m.Company, path={"id": id}, query=None, body={"system_fee_basis_points": system_fee_basis_points, "payout_limits": payout_limits}, idempotency_key=idempotency_key, keyed=True)

    def store_logo(self, *, logo: File) -> m.Company:
        """Store the logo that the checkout shows, in place of an earlier one. A PNG or WebP image of at most 1 MiB. It is encoded again as PNG, without metadata, at most 480 by 160 pixels. Transparent parts are kept; the checkout shows the logo on white."""
        return self._send("PUT", "/v1/core/companies/me/logo", m.Company, path=None, query=None, form={"logo": logo})

    def remove_logo(self) -> m.Company:
        """Remove the logo: the checkout shows the name alone. Removing it twice is the same."""
        return self._send("DELETE", "/v1/core/companies/me/logo", m.Company, path=None, query=None)

    def list_audit_log(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, actor_id: str | Omit = OMIT, operation: str | Omit = OMIT, start_date: str | datetime.date | Omit = OMIT, end_date: str | datetime.date | Omit = OMIT) -> m.AuditEntryPage:
        """The audit log, latest first, including refused attempts. One entry for each request that changed something or was refused to."""
        return self._send("GET", "/v1/core/audit-log", m.AuditEntryPage, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "actorId": actor_id, "operation": operation, "startDate": start_date, "endDate": end_date})

    def iter_audit_log(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, actor_id: str | Omit = OMIT, operation: str | Omit = OMIT, start_date: str | datetime.date | Omit = OMIT, end_date: str | datetime.date | Omit = OMIT) -> Iterator[m.AuditEntry]:
        """All rows of `list_audit_log`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/core/audit-log", m.AuditEntry, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "actorId": actor_id, "operation": operation, "startDate": start_date, "endDate": end_date})

    def list_work(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, kind: str | Omit = OMIT, per_kind: int | Omit = OMIT, max_total: int | Omit = OMIT) -> m.WorkPage:
        """What needs a person, the most urgent first. What has a time limit comes first, then the oldest. In the platform's company a super administrator gets the work of all companies. PAYOUT and IDENTITY, which only the platform decides, are in that list alone. Nothing is stored: work is here as long as it stands."""
        return self._send("GET", "/v1/work", m.WorkPage, path=None, query={"limit": limit, "offset": offset, "kind": kind, "perKind": per_kind, "maxTotal": max_total})

    def iter_work(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, kind: str | Omit = OMIT, per_kind: int | Omit = OMIT, max_total: int | Omit = OMIT) -> Iterator[m.Work]:
        """All rows of `list_work`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/work", m.Work, path=None, query={"limit": limit, "offset": offset, "kind": kind, "perKind": per_kind, "maxTotal": max_total})

    def list_companies(self, *, limit: int | Omit = OMIT, search: str | Omit = OMIT, after: str | Omit = OMIT) -> m.CompanySummaryPage:
        """All companies, newest first. For the platform's administrators."""
        return self._send("GET", "/v1/platform/companies", m.CompanySummaryPage, path=None, query={"limit": limit, "search": search, "after": after})

    def iter_companies(self, *, limit: int | Omit = OMIT, search: str | Omit = OMIT, after: str | Omit = OMIT) -> Iterator[m.CompanySummary]:
        """All rows of `list_companies`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/platform/companies", m.CompanySummary, path=None, query={"limit": limit, "search": search, "after": after})

    def get_service_state(self) -> m.ServiceState:
        """What waits, what fails and what was audited, over all companies. The metrics have the names that the metrics endpoint shows with the prefix `escrow_`."""
        return self._send("GET", "/v1/platform/state", m.ServiceState, path=None, query=None)

    def list_administrators(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT) -> m.ListedAdministratorList:
        """The company's administrators. Removed ones are not listed."""
        return self._send("GET", "/v1/core/companies/admins", m.ListedAdministratorList, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total})

    def iter_administrators(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT) -> Iterator[m.ListedAdministrator]:
        """All rows of `list_administrators`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/core/companies/admins", m.ListedAdministrator, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total})

    def add_administrator(self, *, first_name: str, last_name: str, email: str, role: Literal["admin", "manager"], password: str | None | Omit = OMIT, idempotency_key: str | None = None) -> m.AddAdministratorAnswer:
        """Add an administrator. Without a password the answer has a temporary one, which must be changed at the first login."""
        return self._send("POST", "/v1/core/companies/admins", m.AddAdministratorAnswer, path=None, query=None, body={"firstName": first_name, "lastName": last_name, "email": email, "role": role, "password": password}, idempotency_key=idempotency_key, keyed=True)

    def remove_administrator(self, id: str, *, idempotency_key: str | None = None) -> m.RemoveAdministratorAnswer:
        """Remove an administrator; their tokens and the API keys that they made stop working at once. The OWNER cannot be removed."""
        return self._send("POST", "/v1/core/companies/admins/{id}/remove", m.RemoveAdministratorAnswer, path={"id": id}, query=None, idempotency_key=idempotency_key, keyed=True)

    def reset_second_factor(self, id: str, *, idempotency_key: str | None = None) -> m.ResetSecondFactorAnswer:
        """Take the second factor of an administrator away, who lost it; all sessions of the administrator end. An owner may do it for the others, and only the platform for an owner."""
        return self._send("POST", "/v1/core/companies/admins/{id}/reset-mfa", m.ResetSecondFactorAnswer, path={"id": id}, query=None, idempotency_key=idempotency_key, keyed=True)

    def create_api_key(self, *, name: str, role: Literal["owner", "admin", "manager"] | None | Omit = OMIT, permissions: Sequence[m.Permission] | None | Omit = OMIT, expires_at: str | datetime.datetime | None | Omit = OMIT, expires_in_days: int | None | Omit = OMIT, note: str | None | Omit = OMIT, idempotency_key: str | None = None) -> m.CreateApiKeyAnswer:
        """Create an API key; only this response contains the raw key. Needs a bearer token. The key has the role of its creator, or a lower one, for this company alone."""
        return self._send("POST", "/v1/core/companies/api-keys", m.CreateApiKeyAnswer, path=None, query=None, body={"name": name, "role": role, "permissions": permissions, "expiresAt": expires_at, "expiresInDays": expires_in_days, "note": note}, idempotency_key=idempotency_key, keyed=True)

    def list_api_keys(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT) -> m.ApiKeyList:
        """The company's keys, newest first. Revoked ones are listed too. The raw keys are never shown again."""
        return self._send("GET", "/v1/core/companies/api-keys", m.ApiKeyList, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total})

    def iter_api_keys(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT) -> Iterator[m.ApiKey]:
        """All rows of `list_api_keys`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/core/companies/api-keys", m.ApiKey, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total})

    def revoke_api_key(self, id: str, *, idempotency_key: str | None = None) -> m.RevokeApiKeyAnswer:
        """Revoke a key at once; it cannot be restored. Requests with it are refused with 401 from then on."""
        return self._send("POST", "/v1/core/companies/api-keys/{id}/revoke", m.RevokeApiKeyAnswer, path={"id": id}, query=None, idempotency_key=idempotency_key, keyed=True)

    def roll_api_key(self, *, name: str, id: str | None | Omit = OMIT, grace_seconds: int | None | Omit = OMIT) -> m.RolledApiKey:
        """Replace a key, at once or after a grace period. A key replaces itself; an administrator names in `id` a key that they may revoke. In its grace period the old key administers nothing: it is refused (403) wherever keys, administrators, webhooks or settings of the company are changed, and it cannot be rolled again (409)."""
        return self._send("POST", "/v1/core/companies/api-keys/roll", m.RolledApiKey, path=None, query=None, body={"id": id, "name": name, "graceSeconds": grace_seconds})

    def list_users(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt", "-updatedAt", "updatedAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, q: str | Omit = OMIT, mobile_number: str | Omit = OMIT, custom_reference: str | Omit = OMIT, created_from: str | datetime.date | Omit = OMIT, created_to: str | datetime.date | Omit = OMIT, updated_since: str | datetime.date | Omit = OMIT) -> m.UserSummaryList:
        """The company's users, newest first. Buyers and sellers."""
        return self._send("GET", "/v1/identity/users", m.UserSummaryList, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "q": q, "mobileNumber": mobile_number, "customReference": custom_reference, "createdFrom": created_from, "createdTo": created_to, "updatedSince": updated_since})

    def iter_users(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt", "-updatedAt", "updatedAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, q: str | Omit = OMIT, mobile_number: str | Omit = OMIT, custom_reference: str | Omit = OMIT, created_from: str | datetime.date | Omit = OMIT, created_to: str | datetime.date | Omit = OMIT, updated_since: str | datetime.date | Omit = OMIT) -> Iterator[m.UserSummary]:
        """All rows of `list_users`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/identity/users", m.UserSummary, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "q": q, "mobileNumber": mobile_number, "customReference": custom_reference, "createdFrom": created_from, "createdTo": created_to, "updatedSince": updated_since})

    def create_user(self, *, mobile_number: str, id_number: str, first_name: str | None | Omit = OMIT, last_name: str | None | Omit = OMIT, email: str | None | Omit = OMIT, metadata: Mapping[str, Any] | None | Omit = OMIT, custom_reference: str | None | Omit = OMIT, bank_account: m.BankAccountRequest | Mapping[str, Any] | None | Omit = OMIT, idempotency_key: str | None = None) -> m.UserCreated:
        """Register a user, with a ledger and one account per currency. A buyer or a seller. JSON, or a form where an identity document is sent along."""
        return self._send("POST", "/v1/identity/users", m.UserCreated, path=None, query=None, body={"mobileNumber": mobile_number, "idNumber": id_number, "firstName": first_name, "lastName": last_name, "email": email, "metadata": metadata, "customReference": custom_reference, "bankAccount": bank_account}, idempotency_key=idempotency_key, keyed=True)

    def get_user(self, id: str) -> m.User:
        """One user. With the id number and the bank account, for staff."""
        return self._send("GET", "/v1/identity/users/{id}", m.User, path={"id": id}, query=None)

    def get_user_ledger(self, id: str) -> m.UserLedger:
        """The user's ledger and accounts. Escrows and deposits use the ids of these accounts."""
        return self._send("GET", "/v1/identity/users/{id}/ledger", m.UserLedger, path={"id": id}, query=None)

    def export_user(self, id: str) -> m.PersonalData:
        """All that is held about a person. The identity document is at `user.documentUrl`. Ids in rows have no prefix. The file is sent while it is read, so a connection that ends before the last `}` means that it is incomplete."""
        return self._send("GET", "/v1/identity/users/{id}/export", m.PersonalData, path={"id": id}, query=None)

    def erase_user(self, id: str, *, reason: str) -> m.Erased:
        """Erase a person; ids, amounts and times stay. Names, numbers, e-mail, metadata, documents, bank details and what was written about their orders are gone. It is refused while money, an escrow, a payment link, a payout or a debt of theirs is open, and within the retention period of the installation. References in the ledger and lines of the bank that match nothing of theirs stay, and backups keep what they have until they expire."""
        return self._send("POST", "/v1/identity/users/{id}/erase", m.Erased, path={"id": id}, query=None, body={"reason": reason})

    def upload_document(self, id: str, *, document: File) -> m.DocumentStored:
        """Store the user's identity document, in place of an earlier one. A document that differs sets an approved user back to level 1, until the platform has looked again. Metadata of images (position, camera, comments) is removed, except from BMP. BMP and PDF files are kept as they were sent."""
        return self._send("POST", "/v1/identity/users/{id}/document", m.DocumentStored, path={"id": id}, query=None, form={"document": document})

    def download_document(self, id: str) -> httpx.Response:
        """The user's identity document. The bytes as they were uploaded, under their own media type."""
        return self.download("/v1/identity/users/{id}/document", path={"id": id}, query=None)

    def link_id_number(self, id: str, *, id_number: str, custom_reference: str | None | Omit = OMIT) -> m.IdLinked:
        """Set the user's national id number, and a reference for deposits. A different number returns an approved user to level 1 until the platform approves them again."""
        return self._send("POST", "/v1/identity/users/{id}/link-id", m.IdLinked, path={"id": id}, query=None, body={"idNumber": id_number, "customReference": custom_reference})

    def list_financial_institutions(self) -> m.FinancialInstitutionList:
        """The banks that users can be paid at, shared by all companies. Public. Their ids are the `institutionId` of bank accounts."""
        return self._send("GET", "/v1/identity/financial-institutions", m.FinancialInstitutionList, path=None, query=None)

    def seed_financial_institutions(self) -> m.Seeded:
        """Add the banks of the service's list that do not exist yet. Changes nothing where none is missing: they are there from the start."""
        return self._send("POST", "/v1/identity/financial-institutions/seed", m.Seeded, path=None, query=None)

    def list_users_for_platform(self, *, page: int | Omit = OMIT, limit: int | Omit = OMIT, search: str | Omit = OMIT, status: Literal["PENDING", "APPROVED", "BLACKLISTED", "ALL"] | Omit = OMIT) -> m.UserPage:
        """A company's users, page by page. For the platform's administrators, of the company in `x-company-id`."""
        return self._send("GET", "/v1/identity/admin/users", m.UserPage, path=None, query={"page": page, "limit": limit, "search": search, "status": status})

    def iter_users_for_platform(self, *, page: int | Omit = OMIT, limit: int | Omit = OMIT, search: str | Omit = OMIT, status: Literal["PENDING", "APPROVED", "BLACKLISTED", "ALL"] | Omit = OMIT) -> Iterator[m.UserForAdmin]:
        """All rows of `list_users_for_platform`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/identity/admin/users", m.UserForAdmin, path=None, query={"page": page, "limit": limit, "search": search, "status": status})

    def approve_user(self, id: str, *, approved: bool | None | Omit = OMIT, reviewed: str | datetime.datetime | None | Omit = OMIT, idempotency_key: str | None = None) -> m.Approved:
        """Approve a user's identity, or revoke the approval. An approved user has kycLevel 2. A change of id number or document takes the approval away."""
        return self._send("POST", "/v1/identity/admin/users/{id}/approve", m.Approved, path={"id": id}, query=None, body={"approved": approved, "reviewed": reviewed}, idempotency_key=idempotency_key, keyed=True)

    def set_user_status(self, id: str, *, status: m.IdentityStatus, reason: str | None | Omit = OMIT, reviewed: str | datetime.datetime | None | Omit = OMIT, idempotency_key: str | None = None) -> m.StatusChanged:
        """Blacklist a user, or remove the user from the blacklist. A blacklisted user cannot be a party of new escrows, accept a link or withdraw. Running escrows go on."""
        return self._send("POST", "/v1/identity/admin/users/{id}/status", m.StatusChanged, path={"id": id}, query=None, body={"status": status, "reason": reason, "reviewed": reviewed}, idempotency_key=idempotency_key, keyed=True)

    def create_deposit(self, *, amount: int, currency: m.Currency, user_id: str | None | Omit = OMIT, external_reference: str | None | Omit = OMIT, user_reference: str | None | Omit = OMIT, is_transit: bool | None | Omit = OMIT, idempotency_key: str | None = None) -> m.CreateDepositAnswer:
        """Record a deposit for a user or the company. Where a bank capture has the same amount, currency and reference (compared with externalReference and userReference), the money is booked already: 409 `duplicate_reference`, with the id of the capture in `duplicateOf`."""
        return self._send("POST", "/v1/payments/deposit", m.CreateDepositAnswer, path=None, query=None, body={"userId": user_id, "amount": amount, "currency": currency, "externalReference": external_reference, "userReference": user_reference, "isTransit": is_transit}, idempotency_key=idempotency_key, keyed=True)

    def get_transaction(self, id: str) -> m.Transaction:
        """One transaction of the company. Of any type: a deposit, a hold, a payment, a withdrawal."""
        return self._send("GET", "/v1/payments/transaction/{id}", m.Transaction, path={"id": id}, query=None)

    def create_payment_link(self, *, buyer_id: str, amount: int, currency: m.Currency, items: Sequence[m.OrderItem | Mapping[str, Any]], seller_id: str | None | Omit = OMIT, split_plan: m.SplitPlanRequest | Mapping[str, Any] | None | Omit = OMIT, external_reference: str | None | Omit = OMIT, user_reference: str | None | Omit = OMIT, success_url: str | None | Omit = OMIT, cancel_url: str | None | Omit = OMIT, locale: m.Language | None | Omit = OMIT, fee_payer: m.Party | None | Omit = OMIT, milestones: Sequence[m.NewMilestone | Mapping[str, Any]] | None | Omit = OMIT, auto_release_hours: int | None | Omit = OMIT, order_pages: bool | None | Omit = OMIT, expires_in_hours: int | None | Omit = OMIT, idempotency_key: str | None = None) -> m.PaymentLinkGenerated:
        """Create a payment link and its escrow, which waits for the payment. `amount` rules; the items describe it. The buyer opens `url`, and the escrow becomes ACTIVE once the link is paid."""
        return self._send("POST", "/v1/payments/generate-escrow-payment-link", m.PaymentLinkGenerated, path=None, query=None, body={"buyerId": buyer_id, "sellerId": seller_id, "amount": amount, "currency": currency, "items": items, "splitPlan": split_plan, "externalReference": external_reference, "userReference": user_reference, "successUrl": success_url, "cancelUrl": cancel_url, "locale": locale, "feePayer": fee_payer, "milestones": milestones, "autoReleaseHours": auto_release_hours, "orderPages": order_pages, "expiresInHours": expires_in_hours}, idempotency_key=idempotency_key, keyed=True)

    def get_link_details(self, hash: str) -> m.PaymentLinkDetails:
        """The public details of a payment link. For the checkout page. It never shows a number or an id number."""
        return self._send("GET", "/v1/payments/link-details/{hash}", m.PaymentLinkDetails, path={"hash": hash}, query=None)

    def list_payment_links(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt", "-updatedAt", "updatedAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, status: str | Omit = OMIT, external_reference: str | Omit = OMIT, created_from: str | datetime.date | Omit = OMIT, created_to: str | datetime.date | Omit = OMIT, updated_since: str | datetime.date | Omit = OMIT) -> m.PaymentLinkSummaryPage:
        """The company's payment links, newest first. Each with the state of the link."""
        return self._send("GET", "/v1/payments/links", m.PaymentLinkSummaryPage, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "status": status, "externalReference": external_reference, "createdFrom": created_from, "createdTo": created_to, "updatedSince": updated_since})

    def iter_payment_links(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt", "-updatedAt", "updatedAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, status: str | Omit = OMIT, external_reference: str | Omit = OMIT, created_from: str | datetime.date | Omit = OMIT, created_to: str | datetime.date | Omit = OMIT, updated_since: str | datetime.date | Omit = OMIT) -> Iterator[m.PaymentLinkSummary]:
        """All rows of `list_payment_links`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/payments/links", m.PaymentLinkSummary, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "status": status, "externalReference": external_reference, "createdFrom": created_from, "createdTo": created_to, "updatedSince": updated_since})

    def get_payment_link(self, id: str) -> m.PaymentLink:
        """One payment link with its payment attempts and events. For support: what the buyer tried, and what became of it."""
        return self._send("GET", "/v1/payments/links/{id}", m.PaymentLink, path={"id": id}, query=None)

    def request_checkout_otp(self, *, messaging_number: str, payment_slug: str | None | Omit = OMIT) -> m.OtpSent:
        """Send a one-time password for a payment link to its buyer; the answer does not tell whether the number is known. With `paymentSlug` the code pays that link. Without it, one of the open links that the message names."""
        return self._send("POST", "/v1/payments/request-checkout-otp", m.OtpSent, path=None, query=None, body={"messagingNumber": messaging_number, "paymentSlug": payment_slug})

    def register_checkout_user(self, *, mobile_number: str, id_number: str, first_name: str | None | Omit = OMIT, last_name: str | None | Omit = OMIT, payment_slug: str | None | Omit = OMIT) -> m.CheckoutUserRegistered:
        """Register a buyer; a known number gets the same answer, and nothing changes. For a buyer whom no merchant has registered."""
        return self._send("POST", "/v1/payments/register-checkout-user", m.CheckoutUserRegistered, path=None, query=None, body={"mobileNumber": mobile_number, "idNumber": id_number, "firstName": first_name, "lastName": last_name, "paymentSlug": payment_slug})

    def accept_payment(self, *, payment_slug: str, phone_number: str | None | Omit = OMIT, messaging_number: str | None | Omit = OMIT, otp: str | None | Omit = OMIT) -> m.PaymentAccepted:
        """Pay from balance with a one-time password, or by mobile money. With `otp` and `messagingNumber` the buyer pays from the balance. With `phoneNumber` the buyer gets a prompt on that phone, and the answer comes within 22 s. In the sandbox, prompts to +263770000001 are declined, prompts to +263770000002 get no answer (PROCESSING, and declined after ten minutes of the test clock), and prompts to all other numbers are approved."""
        return self._send("POST", "/v1/payments/accept-payment", m.PaymentAccepted, path=None, query=None, body={"paymentSlug": payment_slug, "phoneNumber": phone_number, "messagingNumber": messaging_number, "otp": otp})

    def reject_payment(self, *, payment_slug: str) -> m.RejectPaymentAnswer:
        """Decline to pay: the escrow is cancelled. Nothing was taken from the buyer."""
        return self._send("POST", "/v1/payments/reject-payment", m.RejectPaymentAnswer, path=None, query=None, body={"paymentSlug": payment_slug})

    def initiate_card_payment(self, *, payment_slug: str) -> m.CheckoutOpened:
        """Open a checkout at the card gateway, or get the one that is open. The checkout page loads `scriptUrl` with its `integrity` to show the card form."""
        return self._send("POST", "/v1/payments/eft-pay/initiate", m.CheckoutOpened, path=None, query=None, body={"paymentSlug": payment_slug})

    def verify_card_payment(self, *, resource_path: str) -> m.CheckoutVerified:
        """The result of a checkout, by the resource path that the widget returned. The gateway is asked; what the browser says is not believed. DECLINED leaves the link open for another try."""
        return self._send("POST", "/v1/payments/eft-pay/verify", m.CheckoutVerified, path=None, query=None, body={"resourcePath": resource_path})

    def get_ledger_overview(self, ledger_id: str) -> m.LedgerOverview:
        """A ledger's accounts and their totals per currency. Of a user or of the company."""
        return self._send("GET", "/v1/ledger/overview/{ledgerId}", m.LedgerOverview, path={"ledgerId": ledger_id}, query=None)

    def list_escrow_history(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, start_date: str | datetime.date | Omit = OMIT, end_date: str | datetime.date | Omit = OMIT) -> m.EscrowHistoryEntryList:
        """The transactions of the company's escrows with the fees of company and platform, newest first. Holds, payments and refunds. For each escrow, holds less payments less refunds is what is held now."""
        return self._send("GET", "/v1/ledger/escrow/history", m.EscrowHistoryEntryList, path=None, query={"limit": limit, "offset": offset, "startDate": start_date, "endDate": end_date})

    def iter_escrow_history(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, start_date: str | datetime.date | Omit = OMIT, end_date: str | datetime.date | Omit = OMIT) -> Iterator[m.EscrowHistoryEntry]:
        """All rows of `list_escrow_history`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/ledger/escrow/history", m.EscrowHistoryEntry, path=None, query={"limit": limit, "offset": offset, "startDate": start_date, "endDate": end_date})

    def get_system_stats(self) -> m.SystemStats:
        """Volume and posting latency of the company's ledger. Since the process started, and of the last day."""
        return self._send("GET", "/v1/ledger/stats/system", m.SystemStats, path=None, query=None)

    def get_cashflow(self, *, start_date: str | datetime.date | Omit = OMIT, end_date: str | datetime.date | Omit = OMIT, interval: Literal["day", "week", "month"] | Omit = OMIT, currency: m.Currency | Omit = OMIT, zone: str | Omit = OMIT) -> m.Cashflow:
        """Money that the company received and paid out, per period. A deposit in transit counts once its bank receipt is captured. Periods without any are zeros."""
        return self._send("GET", "/v1/ledger/stats/cashflow", m.Cashflow, path=None, query={"startDate": start_date, "endDate": end_date, "interval": interval, "currency": currency, "zone": zone})

    def get_position(self) -> m.Position:
        """Where the company's money is now, and how old its open escrows are. For the first page of a dashboard."""
        return self._send("GET", "/v1/ledger/stats/position", m.Position, path=None, query=None)

    def list_user_accounts(self, user_id: str) -> m.AccountList:
        """A user's accounts. One for each currency."""
        return self._send("GET", "/v1/ledger/user/{userId}/accounts", m.AccountList, path={"userId": user_id}, query=None)

    def list_company_accounts(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT) -> m.AccountList:
        """The company's own accounts: fees, taxes, system operations. One of each type and currency."""
        return self._send("GET", "/v1/ledger/company/accounts", m.AccountList, path=None, query={"limit": limit, "offset": offset})

    def iter_company_accounts(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT) -> Iterator[m.Account]:
        """All rows of `list_company_accounts`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/ledger/company/accounts", m.Account, path=None, query={"limit": limit, "offset": offset})

    def verify_ledger_integrity(self) -> m.LedgerIntegrity:
        """Recompute every balance and hash; a super administrator audits all companies. Slow for large books. `ok` false needs a person at once."""
        return self._send("GET", "/v1/ledger/verify-ledger-integrity", m.LedgerIntegrity, path=None, query=None)

    def get_account(self, account_id: str) -> m.GetAccountAnswer:
        """One account and the ledger it belongs to. With its balance now."""
        return self._send("GET", "/v1/ledger/accounts/{accountId}", m.GetAccountAnswer, path={"accountId": account_id}, query=None)

    def set_account_frozen(self, account_id: str, *, is_frozen: bool, reason: str, known_freeze_at: str | datetime.datetime | None | Omit = OMIT, idempotency_key: str | None = None) -> m.Account:
        """Freeze or unfreeze an account. From a frozen account no money goes out and none is held: 422 `account_frozen`. Money still comes in, and what was held before is paid or given back, but for payouts that the bank does not have yet. The platform alone lifts its freeze. Contra sides of the books (TRANSIT, BANK, CLEARING_CARD and the like, RECEIVABLE, INTERCOMPANY) hold no money and cannot be frozen: 422 `account_not_freezable`."""
        return self._send("PATCH", "/v1/ledger/accounts/{accountId}", m.Account, path={"accountId": account_id}, query=None, body={"is_frozen": is_frozen, "reason": reason, "known_freeze_at": known_freeze_at}, idempotency_key=idempotency_key, keyed=True)

    def get_trial_balance(self, *, at: str | datetime.date | Omit = OMIT, currency: m.Currency | Omit = OMIT, format: Literal["json", "csv", "pdf"] | Omit = OMIT) -> m.TrialBalance:
        """The trial balance at an instant. Debit and credit are equal in each currency. The report of a past instant never changes."""
        return self._send("GET", "/v1/ledger/reports/trial-balance", m.TrialBalance, path=None, query={"at": at, "currency": currency, "format": format})

    def get_liabilities(self, *, at: str | datetime.date | Omit = OMIT, currency: m.Currency | Omit = OMIT, format: Literal["json", "csv", "pdf"] | Omit = OMIT, limit: int | Omit = OMIT, offset: int | Omit = OMIT) -> m.Liabilities:
        """What the company owes its users at an instant. Files have all lines. The amounts of a past instant never change; names are those of today."""
        return self._send("GET", "/v1/ledger/reports/liabilities", m.Liabilities, path=None, query={"at": at, "currency": currency, "format": format, "limit": limit, "offset": offset})

    def get_revenue(self, *, from_: str | datetime.date | Omit = OMIT, to: str | datetime.date | Omit = OMIT, currency: m.Currency | Omit = OMIT, format: Literal["json", "csv", "pdf"] | Omit = OMIT) -> m.Revenue:
        """Fees and taxes of a period, by rate. Fees count when they are paid. A tax that was given back counts against it."""
        return self._send("GET", "/v1/ledger/reports/revenue", m.Revenue, path=None, query={"from": from_, "to": to, "currency": currency, "format": format})

    def get_statement(self, account_id: str, *, start_date: str | datetime.date | Omit = OMIT, end_date: str | datetime.date | Omit = OMIT, last_entries: int | Omit = OMIT, totals: Literal["entries", "window"] | Omit = OMIT, format: Literal["json", "csv", "pdf", "camt.053"] | Omit = OMIT) -> m.Statement:
        """The statement of an account: opening balance, entries, totals and closing balance. Without dates: the last 30 days. A window that has ended ends before the oldest posting in flight (`endDate` says where), so its statement never changes. At most 10,000 entries. As JSON, or by `format` or the Accept header as CSV (text/csv), PDF (application/pdf) or ISO 20022 camt.053.001.08 (application/xml)."""
        return self._send("GET", "/v1/ledger/accounts/{accountId}/statement", m.Statement, path={"accountId": account_id}, query={"startDate": start_date, "endDate": end_date, "lastEntries": last_entries, "totals": totals, "format": format})

    def list_ledger_transactions(self, ledger_id: str, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, type: m.TransactionType | Omit = OMIT, status: m.TransactionStatus | Omit = OMIT, start_date: str | datetime.date | Omit = OMIT, end_date: str | datetime.date | Omit = OMIT) -> m.TransactionPage:
        """The transactions of a ledger, newest first. Holds and their release count, although they have no entries. Entries are those on accounts of the company: where the platform took a fee, its credit is on the platform's account and not shown."""
        return self._send("GET", "/v1/ledger/{ledgerId}/transactions", m.TransactionPage, path={"ledgerId": ledger_id}, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "type": type, "status": status, "startDate": start_date, "endDate": end_date})

    def iter_ledger_transactions(self, ledger_id: str, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, type: m.TransactionType | Omit = OMIT, status: m.TransactionStatus | Omit = OMIT, start_date: str | datetime.date | Omit = OMIT, end_date: str | datetime.date | Omit = OMIT) -> Iterator[m.TransactionWithEntries]:
        """All rows of `list_ledger_transactions`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/ledger/{ledgerId}/transactions", m.TransactionWithEntries, path={"ledgerId": ledger_id}, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "type": type, "status": status, "startDate": start_date, "endDate": end_date})

    def set_bank_details(self, ledger_id: str, *, bank_name: str, branch_code: str, account_number: str, account_name: str) -> m.BankDetailsSet:
        """Set the ledger's default bank details. Withdrawals that name no account use them from `effective_at` on: after `BANK_DETAILS_COOLING_HOURS`, or once a second administrator approves them. Until then they use the details in effect."""
        return self._send("PATCH", "/v1/ledger/{ledgerId}/bank-details", m.BankDetailsSet, path={"ledgerId": ledger_id}, query=None, body={"bank_name": bank_name, "branch_code": branch_code, "account_number": account_number, "account_name": account_name})

    def get_bank_details(self, ledger_id: str) -> m.BankDetailsRead:
        """The ledger's default bank details in effect; null where none are. The number is shown but for its last characters."""
        return self._send("GET", "/v1/ledger/{ledgerId}/bank-details", m.BankDetailsRead, path={"ledgerId": ledger_id}, query=None)

    def list_bank_details(self, ledger_id: str, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT) -> m.BankDetailsChangePage:
        """All changes of the ledger's bank details, newest first. Each with the time from which withdrawals used it."""
        return self._send("GET", "/v1/ledger/{ledgerId}/bank-details/history", m.BankDetailsChangePage, path={"ledgerId": ledger_id}, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total})

    def iter_bank_details(self, ledger_id: str, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT) -> Iterator[m.BankDetailsChange]:
        """All rows of `list_bank_details`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/ledger/{ledgerId}/bank-details/history", m.BankDetailsChange, path={"ledgerId": ledger_id}, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total})

    def approve_bank_details(self, ledger_id: str, *, idempotency_key: str | None = None) -> m.BankDetailsRead:
        """End the wait of new bank details, or of payments to a new destination. By a second administrator, who is older than the change and did not make it: else 403. With pending details it ends their wait, and that of the withdrawals to them; without, that of the withdrawals of the ledger. Nothing waits: 409 `wrong_state`."""
        return self._send("POST", "/v1/ledger/{ledgerId}/bank-details/approve", m.BankDetailsRead, path={"ledgerId": ledger_id}, query=None, idempotency_key=idempotency_key, keyed=True)

    def initiate_escrow(self, *, buyer_id: str, seller_id: str, buyer_account_id: str, items: Sequence[m.OrderItem | Mapping[str, Any]], external_reference: str, seller_account_id: str | None | Omit = OMIT, external_invoice_number: str | None | Omit = OMIT, split_plan: m.SplitPlanRequest | Mapping[str, Any] | None | Omit = OMIT, fee_payer: m.Party | None | Omit = OMIT, milestones: Sequence[m.NewMilestone | Mapping[str, Any]] | None | Omit = OMIT, auto_release_hours: int | None | Omit = OMIT, order_pages: bool | None | Omit = OMIT, idempotency_key: str | None = None) -> m.EscrowInitiated:
        """Create an escrow and hold the buyer's money. The buyer's account must have the money: deposit it first, or send the buyer a payment link instead. The held amount is the sum of the items, plus the fees where the buyer pays them."""
        return self._send("POST", "/v1/escrow/initiate", m.EscrowInitiated, path=None, query=None, body={"buyerId": buyer_id, "sellerId": seller_id, "buyerAccountId": buyer_account_id, "sellerAccountId": seller_account_id, "items": items, "externalReference": external_reference, "externalInvoiceNumber": external_invoice_number, "splitPlan": split_plan, "feePayer": fee_payer, "milestones": milestones, "autoReleaseHours": auto_release_hours, "orderPages": order_pages}, idempotency_key=idempotency_key, keyed=True)

    def quote_escrow(self, *, amount: int, currency: m.Currency, fee_payer: m.Party | None | Omit = OMIT, split_plan: m.SplitPlanRequest | Mapping[str, Any] | None | Omit = OMIT, milestones: Sequence[Mapping[str, Any]] | None | Omit = OMIT) -> m.EscrowQuote:
        """What an escrow would cost and pay, before it is initiated. Nothing is held, and nothing is promised: the escrow uses the fees that are in force when it is initiated."""
        return self._send("POST", "/v1/escrow/quote", m.EscrowQuote, path=None, query=None, body={"amount": amount, "currency": currency, "feePayer": fee_payer, "splitPlan": split_plan, "milestones": milestones})

    def list_disputes(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-openedAt", "openedAt", "-amount", "amount"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, currency: m.Currency | Omit = OMIT, assigned_to: str | Omit = OMIT, is_assigned: Literal["true", "false"] | Omit = OMIT) -> m.DisputePage:
        """Open disputes, oldest first. The queue of the administrators who decide."""
        return self._send("GET", "/v1/escrow/disputes", m.DisputePage, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "currency": currency, "assignedTo": assigned_to, "isAssigned": is_assigned})

    def iter_disputes(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-openedAt", "openedAt", "-amount", "amount"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, currency: m.Currency | Omit = OMIT, assigned_to: str | Omit = OMIT, is_assigned: Literal["true", "false"] | Omit = OMIT) -> Iterator[m.Dispute]:
        """All rows of `list_disputes`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/escrow/disputes", m.Dispute, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "currency": currency, "assignedTo": assigned_to, "isAssigned": is_assigned})

    def get_dispute(self, id: str) -> m.DisputeDetails:
        """The dispute of an escrow, open or decided, with the internal notes. For staff: the parties do not see the notes."""
        return self._send("GET", "/v1/escrow/{id}/dispute", m.DisputeDetails, path={"id": id}, query=None)

    def dispute_escrow(self, id: str, *, actor: m.Party, reason: str, idempotency_key: str | None = None, if_match: str | None = None) -> m.EscrowDisputed:
        """Freeze the escrow until an administrator decides. Until then neither release nor cancel of the buyer works; evidence, a proposal and the administrator's decision do."""
        return self._send("POST", "/v1/escrow/{id}/dispute", m.EscrowDisputed, path={"id": id}, query=None, body={"actor": actor, "reason": reason}, idempotency_key=idempotency_key, keyed=True, if_match=if_match)

    def assign_dispute(self, id: str, *, admin_id: str | None, known_admin_id: str | None | Omit = OMIT, idempotency_key: str | None = None) -> m.DisputeDetails:
        """Assign an open dispute to an administrator, or to nobody. The assignment tells who works on the dispute. Others may still decide it."""
        return self._send("POST", "/v1/escrow/{id}/dispute/assign", m.DisputeDetails, path={"id": id}, query=None, body={"adminId": admin_id, "knownAdminId": known_admin_id}, idempotency_key=idempotency_key, keyed=True)

    def add_dispute_note(self, id: str, *, note: str, idempotency_key: str | None = None) -> m.DisputeDetails:
        """Add an internal note to a dispute. Notes are for the staff of the company and the platform. They are never changed or deleted."""
        return self._send("POST", "/v1/escrow/{id}/dispute/notes", m.DisputeDetails, path={"id": id}, query=None, body={"note": note}, idempotency_key=idempotency_key, keyed=True)

    def list_escrows(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt", "-updatedAt", "updatedAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, status: str | Omit = OMIT, buyer_id: str | Omit = OMIT, seller_id: str | Omit = OMIT, external_reference: str | Omit = OMIT, q: str | Omit = OMIT, start_date: str | datetime.date | Omit = OMIT, end_date: str | datetime.date | Omit = OMIT, created_from: str | datetime.date | Omit = OMIT, created_to: str | datetime.date | Omit = OMIT, updated_since: str | datetime.date | Omit = OMIT) -> m.EscrowSummaryPage:
        """The company's escrows, newest first. Filters can be combined."""
        return self._send("GET", "/v1/escrow", m.EscrowSummaryPage, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "status": status, "buyerId": buyer_id, "sellerId": seller_id, "externalReference": external_reference, "q": q, "startDate": start_date, "endDate": end_date, "createdFrom": created_from, "createdTo": created_to, "updatedSince": updated_since})

    def iter_escrows(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt", "-updatedAt", "updatedAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, status: str | Omit = OMIT, buyer_id: str | Omit = OMIT, seller_id: str | Omit = OMIT, external_reference: str | Omit = OMIT, q: str | Omit = OMIT, start_date: str | datetime.date | Omit = OMIT, end_date: str | datetime.date | Omit = OMIT, created_from: str | datetime.date | Omit = OMIT, created_to: str | datetime.date | Omit = OMIT, updated_since: str | datetime.date | Omit = OMIT) -> Iterator[m.EscrowSummary]:
        """All rows of `list_escrows`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/escrow", m.EscrowSummary, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "status": status, "buyerId": buyer_id, "sellerId": seller_id, "externalReference": external_reference, "q": q, "startDate": start_date, "endDate": end_date, "createdFrom": created_from, "createdTo": created_to, "updatedSince": updated_since})

    def list_active_escrows(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt", "-updatedAt", "updatedAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT) -> m.EscrowList:
        """Escrows that are ACTIVE. In full, with items and milestones."""
        return self._send("GET", "/v1/escrow/active", m.EscrowList, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total})

    def iter_active_escrows(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt", "-updatedAt", "updatedAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT) -> Iterator[m.Escrow]:
        """All rows of `list_active_escrows`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/escrow/active", m.Escrow, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total})

    def get_escrow(self, id: str) -> m.Escrow:
        """One escrow. Its `ETag` goes into `If-Match` of a command that must not meet another version."""
        return self._send("GET", "/v1/escrow/{id}", m.Escrow, path={"id": id}, query=None)

    def get_escrow_timeline(self, id: str) -> m.TimelineEntryList:
        """The events of an escrow, in order. More kinds of entries are added in time: ignore those that you do not know."""
        return self._send("GET", "/v1/escrow/{id}/timeline", m.TimelineEntryList, path={"id": id}, query=None)

    def get_escrow_progress(self, id: str) -> m.EscrowProgress:
        """What the escrow's workflow run waits for, and its next deadline. For support, asked of the run itself."""
        return self._send("GET", "/v1/escrow/{id}/progress", m.EscrowProgress, path={"id": id}, query=None)

    def create_order_pages(self, id: str, *, idempotency_key: str | None = None) -> m.OrderPages:
        """Make the order pages of buyer and seller, or replace their addresses. Whoever has an address reads the order. Acting needs a code that is sent to the phone of the party."""
        return self._send("POST", "/v1/escrow/{id}/order-pages", m.OrderPages, path={"id": id}, query=None, idempotency_key=idempotency_key, keyed=True)

    def end_order_pages(self, id: str) -> m.EndOrderPagesAnswer:
        """End the order pages of an escrow. Their addresses stop to work at once."""
        return self._send("DELETE", "/v1/escrow/{id}/order-pages", m.EndOrderPagesAnswer, path={"id": id}, query=None)

    def get_escrow_file(self, id: str, file_id: str) -> httpx.Response:
        """A file that buyer or seller sent on the order page. The timeline names it with its hash. It never changes."""
        return self.download("/v1/escrow/{id}/files/{fileId}", path={"id": id, "fileId": file_id}, query=None)

    def list_order_requests(self, id: str, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, status: str | Omit = OMIT) -> m.OrderRequestPage:
        """What buyer and seller asked for on their order pages, newest first. A request waits for your answer until it lapses."""
        return self._send("GET", "/v1/escrow/{id}/requests", m.OrderRequestPage, path={"id": id}, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "status": status})

    def iter_order_requests(self, id: str, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, status: str | Omit = OMIT) -> Iterator[m.OrderRequest]:
        """All rows of `list_order_requests`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/escrow/{id}/requests", m.OrderRequest, path={"id": id}, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "status": status})

    def approve_order_request(self, id: str, request_id: str, *, idempotency_key: str | None = None) -> m.OrderRequest:
        """Approve what a party asked for; it happens at once. Needs the permission of the act. A request that is closed, or does not apply any more, is 409; the latter still waits."""
        return self._send("POST", "/v1/escrow/{id}/requests/{requestId}/approve", m.OrderRequest, path={"id": id, "requestId": request_id}, query=None, idempotency_key=idempotency_key, keyed=True)

    def refuse_order_request(self, id: str, request_id: str, *, reason: str | None | Omit = OMIT, idempotency_key: str | None = None) -> m.OrderRequest:
        """Refuse what a party asked for. An automatic release that it stopped is planned again, for the date that it had."""
        return self._send("POST", "/v1/escrow/{id}/requests/{requestId}/refuse", m.OrderRequest, path={"id": id, "requestId": request_id}, query=None, body={"reason": reason}, idempotency_key=idempotency_key, keyed=True)

    def record_delivery(self, id: str, *, items: Sequence[m.CountedItem | Mapping[str, Any]], notes: str | None | Omit = OMIT, idempotency_key: str | None = None, if_match: str | None = None) -> m.EscrowMoved:
        """The seller records dispatch. May be sent again for each parcel. Once notes or receipts cover the order, the automatic release begins."""
        return self._send("POST", "/v1/escrow/{id}/delivery-note", m.EscrowMoved, path={"id": id}, query=None, body={"items": items, "notes": notes}, idempotency_key=idempotency_key, keyed=True, if_match=if_match)

    def confirm_receipt(self, id: str, *, items: Sequence[m.CountedItem | Mapping[str, Any]], notes: str | None | Omit = OMIT, idempotency_key: str | None = None, if_match: str | None = None) -> m.EscrowMoved:
        """The buyer confirms receipt. Receipts add up to at most what was ordered. A receipt pays nothing: the release does."""
        return self._send("POST", "/v1/escrow/{id}/goods-received", m.EscrowMoved, path={"id": id}, query=None, body={"items": items, "notes": notes}, idempotency_key=idempotency_key, keyed=True, if_match=if_match)

    def release_escrow(self, id: str, *, milestone_id: str | Omit = OMIT, idempotency_key: str | None = None, if_match: str | None = None) -> m.EscrowReleased:
        """Release the money of the escrow, or of one milestone, to the seller. Without `milestoneId` all that is left is paid. The fees are taken of it."""
        return self._send("POST", "/v1/escrow/{id}/release", m.EscrowReleased, path={"id": id}, query={"milestoneId": milestone_id}, idempotency_key=idempotency_key, keyed=True, if_match=if_match)

    def extend_auto_release(self, id: str, *, actor: Literal["BUYER"], hours: int, idempotency_key: str | None = None, if_match: str | None = None) -> m.ExtendAutoReleaseAnswer:
        """Postpone the automatic release, once, by at most thirty days. For a buyer who needs longer to check the goods."""
        return self._send("POST", "/v1/escrow/{id}/extend", m.ExtendAutoReleaseAnswer, path={"id": id}, query=None, body={"actor": actor, "hours": hours}, idempotency_key=idempotency_key, keyed=True, if_match=if_match)

    def cancel_escrow(self, id: str, *, actor: Literal["BUYER", "SELLER", "ADMIN"], reason: str, idempotency_key: str | None = None, if_match: str | None = None) -> m.EscrowCancelled:
        """Cancel the escrow and return the money to the buyer. Before the release. In a dispute the buyer cannot cancel: evidence, a proposal and the administrator's decision are the ways out."""
        return self._send("POST", "/v1/escrow/{id}/cancel", m.EscrowCancelled, path={"id": id}, query=None, body={"actor": actor, "reason": reason}, idempotency_key=idempotency_key, keyed=True, if_match=if_match)

    def propose_split(self, id: str, *, new_split_plan: m.SplitPlanRequest | Mapping[str, Any], actor: m.Party, notes: str | None | Omit = OMIT, idempotency_key: str | None = None, if_match: str | None = None) -> m.Negotiated:
        """Propose another split of the held amount. The other side accepts or rejects it. What the plan leaves goes back to the buyer. In a dispute it is a settlement."""
        return self._send("POST", "/v1/escrow/{id}/negotiate", m.Negotiated, path={"id": id}, query=None, body={"newSplitPlan": new_split_plan, "actor": actor, "notes": notes}, idempotency_key=idempotency_key, keyed=True, if_match=if_match)

    def propose_milestone_payout(self, id: str, milestone_id: str, *, actor: m.Party, proposed_seller_payout_cents: int, reason: str | None | Omit = OMIT, idempotency_key: str | None = None, if_match: str | None = None) -> m.Negotiated:
        """Propose another payout for a milestone. The other side accepts or rejects it. The fees stay, and the rest goes back to the buyer at the release."""
        return self._send("POST", "/v1/escrow/{id}/milestones/{milestoneId}/adjust", m.Negotiated, path={"id": id, "milestoneId": milestone_id}, query=None, body={"actor": actor, "proposedSellerPayoutCents": proposed_seller_payout_cents, "reason": reason}, idempotency_key=idempotency_key, keyed=True, if_match=if_match)

    def accept_split(self, id: str, neg_id: str, *, actor: m.Party, idempotency_key: str | None = None, if_match: str | None = None) -> m.Negotiated:
        """Accept the proposed split. By the side that did not propose it. In a dispute, an accepted proposal is paid at once."""
        return self._send("POST", "/v1/escrow/{id}/negotiate/{negId}/accept", m.Negotiated, path={"id": id, "negId": neg_id}, query=None, body={"actor": actor}, idempotency_key=idempotency_key, keyed=True, if_match=if_match)

    def accept_milestone_payout(self, id: str, milestone_id: str, neg_id: str, *, actor: m.Party, idempotency_key: str | None = None, if_match: str | None = None) -> m.Negotiated:
        """Accept the proposed payout of a milestone. By the side that did not propose it."""
        return self._send("POST", "/v1/escrow/{id}/milestones/{milestoneId}/negotiate/{negId}/accept", m.Negotiated, path={"id": id, "milestoneId": milestone_id, "negId": neg_id}, query=None, body={"actor": actor}, idempotency_key=idempotency_key, keyed=True, if_match=if_match)

    def reject_split(self, id: str, neg_id: str, *, actor: m.Party, idempotency_key: str | None = None, if_match: str | None = None) -> m.Negotiated:
        """Reject the proposed split. By the side that did not propose it. In a dispute, an accepted proposal is paid at once."""
        return self._send("POST", "/v1/escrow/{id}/negotiate/{negId}/reject", m.Negotiated, path={"id": id, "negId": neg_id}, query=None, body={"actor": actor}, idempotency_key=idempotency_key, keyed=True, if_match=if_match)

    def reject_milestone_payout(self, id: str, milestone_id: str, neg_id: str, *, actor: m.Party, idempotency_key: str | None = None, if_match: str | None = None) -> m.Negotiated:
        """Reject the proposed payout of a milestone. By the side that did not propose it."""
        return self._send("POST", "/v1/escrow/{id}/milestones/{milestoneId}/negotiate/{negId}/reject", m.Negotiated, path={"id": id, "milestoneId": milestone_id, "negId": neg_id}, query=None, body={"actor": actor}, idempotency_key=idempotency_key, keyed=True, if_match=if_match)

    def add_dispute_evidence(self, id: str, *, actor: Literal["BUYER", "SELLER", "ADMIN"], note: str, document_url: str | None | Omit = OMIT, idempotency_key: str | None = None, if_match: str | None = None) -> m.AddDisputeEvidenceAnswer:
        """Add evidence to a dispute. By either side, or by an administrator. It stands in the timeline."""
        return self._send("POST", "/v1/escrow/{id}/dispute/evidence", m.AddDisputeEvidenceAnswer, path={"id": id}, query=None, body={"actor": actor, "note": note, "documentUrl": document_url}, idempotency_key=idempotency_key, keyed=True, if_match=if_match)

    def resolve_dispute(self, id: str, *, new_split_plan: m.SplitPlanRequest | Mapping[str, Any], admin_id: str, reason: str | None | Omit = OMIT, idempotency_key: str | None = None, if_match: str | None = None) -> m.EscrowResolved:
        """Decide a dispute; the buyer gets back what the plan does not pay out. Final: the money is paid at once, and the escrow is RESOLVED."""
        return self._send("POST", "/v1/escrow/{id}/admin-resolve", m.EscrowResolved, path={"id": id}, query=None, body={"newSplitPlan": new_split_plan, "adminId": admin_id, "reason": reason}, idempotency_key=idempotency_key, keyed=True, if_match=if_match)

    def create_withdrawal(self, *, account_id: str, amount: int, external_reference: str, bank_name: str | None | Omit = OMIT, branch_code: str | None | Omit = OMIT, account_number: str | None | Omit = OMIT, account_name: str | None | Omit = OMIT, idempotency_key: str | None = None) -> m.WithdrawalRequested:
        """Pay money out to a bank account. The amount and the transfer tax on it are held at once. When the bank has paid, they leave the account; when it refuses, everything is given back. Follow it by its id, which is also the id of its transaction. Without bank fields the money goes to the default bank details of the account's ledger, else to the user's bank account, else it is 400. The sandbox decides by the start of `externalReference`: `sandbox-rejected` is rejected (AC04), `sandbox-returned` is paid and returned after 5 s (AC06; the service asks again within an hour of the test clock), `sandbox-manual` stays PROCESSING until a tester decides, and everything else is paid after 1 s."""
        return self._send("POST", "/v1/treasury/withdraw", m.WithdrawalRequested, path=None, query=None, body={"accountId": account_id, "amount": amount, "externalReference": external_reference, "bank_name": bank_name, "branch_code": branch_code, "account_number": account_number, "account_name": account_name}, idempotency_key=idempotency_key, keyed=True)

    def list_withdrawals(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt", "-updatedAt", "updatedAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, status: str | Omit = OMIT, external_reference: str | Omit = OMIT, q: str | Omit = OMIT, created_from: str | datetime.date | Omit = OMIT, created_to: str | datetime.date | Omit = OMIT, updated_since: str | datetime.date | Omit = OMIT) -> m.WithdrawalPage:
        """The company's withdrawals, newest first. Each with its state at the bank."""
        return self._send("GET", "/v1/treasury/withdrawals", m.WithdrawalPage, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "status": status, "externalReference": external_reference, "q": q, "createdFrom": created_from, "createdTo": created_to, "updatedSince": updated_since})

    def iter_withdrawals(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt", "-updatedAt", "updatedAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, status: str | Omit = OMIT, external_reference: str | Omit = OMIT, q: str | Omit = OMIT, created_from: str | datetime.date | Omit = OMIT, created_to: str | datetime.date | Omit = OMIT, updated_since: str | datetime.date | Omit = OMIT) -> Iterator[m.Withdrawal]:
        """All rows of `list_withdrawals`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/treasury/withdrawals", m.Withdrawal, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "status": status, "externalReference": external_reference, "q": q, "createdFrom": created_from, "createdTo": created_to, "updatedSince": updated_since})

    def get_withdrawal(self, id: str) -> m.WithdrawalWithTimeline:
        """One withdrawal with its events. Its `ETag` goes into `If-Match` of a command that must not meet another version."""
        return self._send("GET", "/v1/treasury/withdrawals/{id}", m.WithdrawalWithTimeline, path={"id": id}, query=None)

    def quote_withdrawal(self, *, account_id: str, amount: int, bank_name: str | None | Omit = OMIT, branch_code: str | None | Omit = OMIT, account_number: str | None | Omit = OMIT, account_name: str | None | Omit = OMIT) -> m.WithdrawalQuote:
        """The tax on a withdrawal, before it is requested. Nothing is held, and nothing is promised: the withdrawal uses the rate that is in force when it is requested."""
        return self._send("POST", "/v1/treasury/quote", m.WithdrawalQuote, path=None, query=None, body={"accountId": account_id, "amount": amount, "bank_name": bank_name, "branch_code": branch_code, "account_number": account_number, "account_name": account_name})

    def cancel_withdrawal(self, id: str, *, reason: str | None | Omit = OMIT, idempotency_key: str | None = None, if_match: str | None = None) -> m.Withdrawal:
        """Cancel a withdrawal that the bank does not have yet. Gives amount and tax back. Once an attempt to hand the payment to the bank is recorded: 409 `wrong_state`. If the bank pays all the same, the withdrawal becomes COMPLETED, and the money is taken again."""
        return self._send("POST", "/v1/treasury/withdrawals/{id}/cancel", m.Withdrawal, path={"id": id}, query=None, body={"reason": reason}, idempotency_key=idempotency_key, keyed=True, if_match=if_match)

    def resume_withdrawal(self, id: str, *, idempotency_key: str | None = None, if_match: str | None = None) -> m.Withdrawal:
        """Send a payment that was held back. For a payment whose account was frozen or whose user was blacklisted before the bank had it (`review_reason`). While the reason stands: 409 `wrong_state`. The platform alone resumes what it froze."""
        return self._send("POST", "/v1/treasury/withdrawals/{id}/resume", m.Withdrawal, path={"id": id}, query=None, idempotency_key=idempotency_key, keyed=True, if_match=if_match)

    def set_withdrawal_outcome(self, id: str, *, outcome: Literal["PAID", "NOT_PAID"], admin_id: str, reason: str | None | Omit = OMIT, said_at: str | datetime.datetime | None | Omit = OMIT, idempotency_key: str | None = None, if_match: str | None = None) -> m.Withdrawal:
        """Record the bank's decision about a payment by hand. For payments that the bank does not report on, or reports on in an unclear way. PAID settles the withdrawal, or takes the money again where it was given back; NOT_PAID gives it back."""
        return self._send("POST", "/v1/treasury/withdrawals/{id}/outcome", m.Withdrawal, path={"id": id}, query=None, body={"outcome": outcome, "adminId": admin_id, "reason": reason, "saidAt": said_at}, idempotency_key=idempotency_key, keyed=True, if_match=if_match)

    def capture_receipt(self, *, amount: int, currency: m.Currency, reference: str, idempotency_key: str | None = None) -> m.Capture:
        """Record a receipt that the bank reported. It settles the deposit in transit that equals it in reference, currency and amount; else it goes to the user whose customReference it carries; else it waits in SUSPENSE. One that equals a settled deposit waits there in any case, with possibleDuplicateOf. The reference is compared with the externalReference of deposits, and with their userReference."""
        return self._send("POST", "/v1/treasury/bank/capture", m.Capture, path=None, query=None, body={"amount": amount, "currency": currency, "reference": reference}, idempotency_key=idempotency_key, keyed=True)

    def assign_capture(self, id: str, *, user_id: str, idempotency_key: str | None = None) -> m.Capture:
        """Assign a receipt in SUSPENSE to a user. For receipts whose reference named nobody."""
        return self._send("POST", "/v1/treasury/captures/{id}/assign", m.Capture, path={"id": id}, query=None, body={"userId": user_id}, idempotency_key=idempotency_key, keyed=True)

    def list_captures(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt", "-updatedAt", "updatedAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, matched_to: str | Omit = OMIT, reference: str | Omit = OMIT, q: str | Omit = OMIT, created_from: str | datetime.date | Omit = OMIT, created_to: str | datetime.date | Omit = OMIT, updated_since: str | datetime.date | Omit = OMIT) -> m.CapturePage:
        """Receipts, newest first. Bank receipts, with what each was matched to."""
        return self._send("GET", "/v1/treasury/captures", m.CapturePage, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "matchedTo": matched_to, "reference": reference, "q": q, "createdFrom": created_from, "createdTo": created_to, "updatedSince": updated_since})

    def iter_captures(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt", "-updatedAt", "updatedAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, matched_to: str | Omit = OMIT, reference: str | Omit = OMIT, q: str | Omit = OMIT, created_from: str | datetime.date | Omit = OMIT, created_to: str | datetime.date | Omit = OMIT, updated_since: str | datetime.date | Omit = OMIT) -> Iterator[m.Capture]:
        """All rows of `list_captures`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/treasury/captures", m.Capture, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "matchedTo": matched_to, "reference": reference, "q": q, "createdFrom": created_from, "createdTo": created_to, "updatedSince": updated_since})

    def add_bank_statement(self, *, file: File, idempotency_key: str | None = None) -> m.AddedBankStatements:
        """Store the bank's statements, and match their entries with the books. An ISO 20022 file camt.053.001.02 or 001.08 with statements of one or several accounts and at most 10,000 entries, as the body or as the field `file` of a form. It books no receipt and adds no cash for payouts: its entries confirm captures (by EndToEndId, remittance text or structured reference) and payouts (by EndToEndId), and settle the clearing accounts that the company's `settlement_references` name. An entry counts once, in whatever file it comes."""
        return self._send("POST", "/v1/treasury/bank/statements", m.AddedBankStatements, path=None, query=None, form={"file": file}, idempotency_key=idempotency_key, keyed=True)

    def list_bank_statements(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, account: str | Omit = OMIT) -> m.BankStatementPage:
        """The bank's statements, newest first. With how many of their entries are matched and open now."""
        return self._send("GET", "/v1/treasury/bank/statements", m.BankStatementPage, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "account": account})

    def iter_bank_statements(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, account: str | Omit = OMIT) -> Iterator[m.BankStatement]:
        """All rows of `list_bank_statements`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/treasury/bank/statements", m.BankStatement, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "account": account})

    def get_bank_statement(self, id: str, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, status: Literal["OPEN", "MATCHED"] | Omit = OMIT) -> m.BankStatementWithLines:
        """A statement of the bank with its entries. Those that an earlier file brought are with that file."""
        return self._send("GET", "/v1/treasury/bank/statements/{id}", m.BankStatementWithLines, path={"id": id}, query={"limit": limit, "offset": offset, "status": status})

    def match_bank_entry(self, id: str, *, kind: Literal["CAPTURE", "PAYOUT", "CARD_SETTLEMENT", "MOBILE_SETTLEMENT", "FEE"], id_: str | None | Omit = OMIT, idempotency_key: str | None = None) -> m.BankEntry:
        """Match an open entry of the bank by hand. With a capture or a payout of the same direction and amount, or as a settlement or a fee."""
        return self._send("POST", "/v1/treasury/bank/entries/{id}/match", m.BankEntry, path={"id": id}, query=None, body={"kind": kind, "id": id_}, idempotency_key=idempotency_key, keyed=True)

    def get_bank_reconciliation(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, at: str | datetime.date | Omit = OMIT) -> m.BankReconciliation:
        """Compare the bank with the books at an instant. Statements and entries of days that began before the instant, and what was posted before it. The difference of a currency equals its open items: those at the bank, which the books do not have, less those in the books, which the bank does not have. `totals` counts all of them."""
        return self._send("GET", "/v1/treasury/bank/reconciliation", m.BankReconciliation, path=None, query={"limit": limit, "offset": offset, "at": at})

    def reverse_deposit(self, id: str, *, reason: str, is_chargeback: bool | None | Omit = OMIT, idempotency_key: str | None = None) -> m.Reversal:
        """Reverse a deposit that bounced. Takes a deposit, or a bank receipt that settled no deposit, back from the account that has the money. A deposit in transit becomes FAILED, a settled one REVERSED. This only books: the card gateway is asked for no refund. If the money is spent or held: 422 `insufficient_funds`, and nothing changes. With isChargeback it is taken back in any case: the missing amount becomes the company's receivable. Until it is settled, the escrow that the money funded cannot be released, and the user cannot withdraw."""
        return self._send("POST", "/v1/payments/transaction/{id}/reverse", m.Reversal, path={"id": id}, query=None, body={"reason": reason, "isChargeback": is_chargeback}, idempotency_key=idempotency_key, keyed=True)

    def list_receivables(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, status: str | Omit = OMIT, escrow_id: str | Omit = OMIT, at: str | datetime.date | Omit = OMIT, currency: m.Currency | Omit = OMIT, format: Literal["json", "csv", "pdf"] | Omit = OMIT, created_from: str | datetime.date | Omit = OMIT, created_to: str | datetime.date | Omit = OMIT, updated_since: str | datetime.date | Omit = OMIT) -> m.ReceivablePage:
        """What others owe the company, newest first. Debts that arose when money was taken back after it had been paid out."""
        return self._send("GET", "/v1/treasury/receivables", m.ReceivablePage, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "status": status, "escrowId": escrow_id, "at": at, "currency": currency, "format": format, "createdFrom": created_from, "createdTo": created_to, "updatedSince": updated_since})

    def iter_receivables(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, status: str | Omit = OMIT, escrow_id: str | Omit = OMIT, at: str | datetime.date | Omit = OMIT, currency: m.Currency | Omit = OMIT, format: Literal["json", "csv", "pdf"] | Omit = OMIT, created_from: str | datetime.date | Omit = OMIT, created_to: str | datetime.date | Omit = OMIT, updated_since: str | datetime.date | Omit = OMIT) -> Iterator[m.Receivable]:
        """All rows of `list_receivables`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/treasury/receivables", m.Receivable, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "status": status, "escrowId": escrow_id, "at": at, "currency": currency, "format": format, "createdFrom": created_from, "createdTo": created_to, "updatedSince": updated_since})

    def settle_receivable(self, id: str, *, source: m.SettlementSource, reason: str, amount: int | None | Omit = OMIT, idempotency_key: str | None = None) -> m.Receivable:
        """Settle a receivable, or a part of it. Money that arrives later is a deposit or a receipt of the user; the source BALANCE then takes it from their account. WRITE_OFF takes it from the COMPANY account, and nobody owes it any more."""
        return self._send("POST", "/v1/treasury/receivables/{id}/settle", m.Receivable, path={"id": id}, query=None, body={"source": source, "amount": amount, "reason": reason}, idempotency_key=idempotency_key, keyed=True)

    def seed_fee_configs(self, *, idempotency_key: str | None = None) -> m.ConfigsSeeded:
        """Create the default transfer tax and fees that the company lacks. Transfer tax, system fee and service fee, each per currency. New escrows use the fees. Safe to repeat."""
        return self._send("POST", "/v1/treasury/seed-configs", m.ConfigsSeeded, path=None, query=None, idempotency_key=idempotency_key, keyed=True)

    def get_fee_configs(self) -> m.FeeConfigs:
        """The company's fees and tax rates, each with the instant from which it applies. New escrows and withdrawals use them."""
        return self._send("GET", "/v1/treasury/configs", m.FeeConfigs, path=None, query=None)

    def list_intercompany_debts(self, *, page: int | Omit = OMIT, limit: int | Omit = OMIT) -> m.IntercompanyDebtPage:
        """What companies owe the platform, per currency. For the platform's administrators."""
        return self._send("GET", "/v1/treasury/intercompany", m.IntercompanyDebtPage, path=None, query={"page": page, "limit": limit})

    def iter_intercompany_debts(self, *, page: int | Omit = OMIT, limit: int | Omit = OMIT) -> Iterator[m.IntercompanyDebt]:
        """All rows of `list_intercompany_debts`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/treasury/intercompany", m.IntercompanyDebt, path=None, query={"page": page, "limit": limit})

    def settle_intercompany_debt(self, company_id: str, *, currency: m.Currency, reference: str, amount: int | None | Omit = OMIT, idempotency_key: str | None = None) -> m.IntercompanySettlement:
        """Settle what a company owes the platform. Moves cash from the company's BANK account to the platform's. A repetition with the same key settles once."""
        return self._send("POST", "/v1/treasury/intercompany/{companyId}/settle", m.IntercompanySettlement, path={"companyId": company_id}, query=None, body={"currency": currency, "amount": amount, "reference": reference}, idempotency_key=idempotency_key, keyed=True)

    def get_clock(self) -> m.Clock:
        """The company's test clock. Escrows, links, withdrawals and proposals follow it."""
        return self._send("GET", "/v1/sandbox/clock", m.Clock, path=None, query=None)

    def advance_clock(self, *, advance_hours: int, idempotency_key: str | None = None) -> m.AdvancedClock:
        """Move the company's time forward, and wake its workflows. What falls due on the way happens, as if the time had passed."""
        return self._send("POST", "/v1/sandbox/clock", m.AdvancedClock, path=None, query=None, body={"advanceHours": advance_hours}, idempotency_key=idempotency_key, keyed=True)

    def list_sandbox_messages(self, *, to: str | Omit = OMIT) -> m.SandboxMessages:
        """The newest 100 messages that were sent for the company, newest first. With their one-time passwords, for tests of the checkout."""
        return self._send("GET", "/v1/sandbox/messages", m.SandboxMessages, path=None, query={"to": to})

    def list_events(self, *, limit: int | Omit = OMIT, after: str | Omit = OMIT, type: str | Omit = OMIT, object_id: str | Omit = OMIT, created_from: str | datetime.date | Omit = OMIT) -> m.EventPage:
        """The company's events, oldest first. Events of the last 90 days. A reader that pages with `after` sees each event once: no event ever appears before one that was read."""
        return self._send("GET", "/v1/events", m.EventPage, path=None, query={"limit": limit, "after": after, "type": type, "objectId": object_id, "createdFrom": created_from})

    def iter_events(self, *, limit: int | Omit = OMIT, after: str | Omit = OMIT, type: str | Omit = OMIT, object_id: str | Omit = OMIT, created_from: str | datetime.date | Omit = OMIT) -> Iterator[m.Event]:
        """All rows of `list_events`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/events", m.Event, path=None, query={"limit": limit, "after": after, "type": type, "objectId": object_id, "createdFrom": created_from})

    def get_event(self, id: str) -> m.Event:
        """One event. As its webhook sent it."""
        return self._send("GET", "/v1/events/{id}", m.Event, path={"id": id}, query=None)

    def create_webhook(self, *, url: str, events: Sequence[Literal["*", "escrow.initiated", "escrow.funded", "escrow.delivery_noted", "escrow.goods_received", "escrow.milestone_released", "escrow.released", "escrow.auto_released", "escrow.release_blocked", "escrow.auto_release_extended", "escrow.auto_release_stopped", "escrow.auto_release_resumed", "escrow.negotiation_proposed", "escrow.negotiation_accepted", "escrow.negotiation_rejected", "escrow.negotiation_lapsed", "escrow.disputed", "escrow.evidence_added", "escrow.resolved", "escrow.cancelled", "escrow.charged_back", "escrow.chargeback_reversed", "payment_link.created", "payment_link.checkout_opened", "payment_link.charge_started", "payment_link.payment_declined", "payment_link.checkout_lapsed", "payment_link.payment_mismatched", "payment_link.accepted", "payment_link.late_money", "payment_link.refunded", "payment_link.refund_refused", "payment_link.taken_back", "payment_link.brought_back", "payment_link.rejected", "payment_link.expired", "withdrawal.requested", "withdrawal.submitted", "withdrawal.review_needed", "withdrawal.resumed", "withdrawal.cancelled", "withdrawal.completed", "withdrawal.failed", "withdrawal.returned", "withdrawal.settled_late", "order_request.created", "order_request.approved", "order_request.refused", "order_request.lapsed", "order_message.due", "deposit.received", "deposit.settled", "deposit.failed", "deposit.reversed", "deposit.reinstated", "capture.received", "capture.assigned", "capture.reversed", "user.created", "user.approved", "user.approval_withdrawn", "user.blacklisted", "user.cleared", "user.updated", "user.erased", "user.document_changed", "account.frozen", "account.unfrozen", "bank_details.changed", "company.updated", "api_key.created", "api_key.rolled", "api_key.revoked", "administrator.added", "administrator.removed", "webhook_endpoint.disabled", "webhook_endpoint.enabled"]], description: str | None | Omit = OMIT, idempotency_key: str | None = None) -> m.WebhookWithSecret:
        """Add an endpoint that receives events; only this response contains its secret. At most 20 endpoints. The endpoint receives every event from now on. Changes of the moments before enter the feed later, so they may be among them."""
        return self._send("POST", "/v1/webhooks", m.WebhookWithSecret, path=None, query=None, body={"url": url, "events": events, "description": description}, idempotency_key=idempotency_key, keyed=True)

    def list_webhooks(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT) -> m.WebhookList:
        """The company's endpoints, oldest first. Their secrets are not shown."""
        return self._send("GET", "/v1/webhooks", m.WebhookList, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total})

    def iter_webhooks(self, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT) -> Iterator[m.Webhook]:
        """All rows of `list_webhooks`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/webhooks", m.Webhook, path=None, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total})

    def get_webhook(self, id: str) -> m.Webhook:
        """One endpoint. With why it is disabled, and since when it fails."""
        return self._send("GET", "/v1/webhooks/{id}", m.Webhook, path={"id": id}, query=None)

    def update_webhook(self, id: str, *, url: str | Omit = OMIT, events: Sequence[Literal["*", "escrow.initiated", "escrow.funded", "escrow.delivery_noted", "escrow.goods_received", "escrow.milestone_released", "escrow.released", "escrow.auto_released", "escrow.release_blocked", "escrow.auto_release_extended", "escrow.auto_release_stopped", "escrow.auto_release_resumed", "escrow.negotiation_proposed", "escrow.negotiation_accepted", "escrow.negotiation_rejected", "escrow.negotiation_lapsed", "escrow.disputed", "escrow.evidence_added", "escrow.resolved", "escrow.cancelled", "escrow.charged_back", "escrow.chargeback_reversed", "payment_link.created", "payment_link.checkout_opened", "payment_link.charge_started", "payment_link.payment_declined", "payment_link.checkout_lapsed", "payment_link.payment_mismatched", "payment_link.accepted", "payment_link.late_money", "payment_link.refunded", "payment_link.refund_refused", "payment_link.taken_back", "payment_link.brought_back", "payment_link.rejected", "payment_link.expired", "withdrawal.requested", "withdrawal.submitted", "withdrawal.review_needed", "withdrawal.resumed", "withdrawal.cancelled", "withdrawal.completed", "withdrawal.failed", "withdrawal.returned", "withdrawal.settled_late", "order_request.created", "order_request.approved", "order_request.refused", "order_request.lapsed", "order_message.due", "deposit.received", "deposit.settled", "deposit.failed", "deposit.reversed", "deposit.reinstated", "capture.received", "capture.assigned", "capture.reversed", "user.created", "user.approved", "user.approval_withdrawn", "user.blacklisted", "user.cleared", "user.updated", "user.erased", "user.document_changed", "account.frozen", "account.unfrozen", "bank_details.changed", "company.updated", "api_key.created", "api_key.rolled", "api_key.revoked", "administrator.added", "administrator.removed", "webhook_endpoint.disabled", "webhook_endpoint.enabled"]] | Omit = OMIT, description: str | None | Omit = OMIT, status: m.WebhookStatus | Omit = OMIT, idempotency_key: str | None = None) -> m.Webhook:
        """Change an endpoint, disable it, or enable it again. Fields that are left out stay as they are."""
        return self._send("PATCH", "/v1/webhooks/{id}", m.Webhook, path={"id": id}, query=None, body={"url": url, "events": events, "description": description, "status": status}, idempotency_key=idempotency_key, keyed=True)

    def delete_webhook(self, id: str, *, idempotency_key: str | None = None) -> m.DeleteWebhookAnswer:
        """Remove an endpoint with its deliveries. Its events stay in the feed."""
        return self._send("DELETE", "/v1/webhooks/{id}", m.DeleteWebhookAnswer, path={"id": id}, query=None, idempotency_key=idempotency_key, keyed=True)

    def rotate_webhook_secret(self, id: str, *, grace_seconds: int | None | Omit = OMIT, idempotency_key: str | None = None) -> m.WebhookWithSecret:
        """Replace the secret; both sign during the grace period. Only this answer shows the new secret."""
        return self._send("POST", "/v1/webhooks/{id}/rotate-secret", m.WebhookWithSecret, path={"id": id}, query=None, body={"graceSeconds": grace_seconds}, idempotency_key=idempotency_key, keyed=True)

    def ping_webhook(self, id: str, *, idempotency_key: str | None = None) -> m.PingAnswer:
        """Send a signed message of the type `webhook.ping`, and see the answer. Waits for the endpoint's answer."""
        return self._send("POST", "/v1/webhooks/{id}/ping", m.PingAnswer, path={"id": id}, query=None, idempotency_key=idempotency_key, keyed=True)

    def replay_events(self, id: str, *, from_: str | datetime.datetime, to: str | datetime.datetime | None | Omit = OMIT, idempotency_key: str | None = None) -> m.ReplayEventsAnswer:
        """Send the events of a period again, with their ids. For a receiver that lost some. It ignores the ids that it knows."""
        return self._send("POST", "/v1/webhooks/{id}/replay", m.ReplayEventsAnswer, path={"id": id}, query=None, body={"from": from_, "to": to}, idempotency_key=idempotency_key, keyed=True)

    def list_deliveries(self, id: str, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, status: str | Omit = OMIT) -> m.WebhookDeliveryPage:
        """What was sent to the endpoint, newest first. Each with its latest attempts."""
        return self._send("GET", "/v1/webhooks/{id}/deliveries", m.WebhookDeliveryPage, path={"id": id}, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "status": status})

    def iter_deliveries(self, id: str, *, limit: int | Omit = OMIT, offset: int | Omit = OMIT, sort: Literal["-createdAt", "createdAt"] | Omit = OMIT, cursor: str | Omit = OMIT, max_total: int | Omit = OMIT, status: str | Omit = OMIT) -> Iterator[m.WebhookDelivery]:
        """All rows of `list_deliveries`, page by page. `limit` is the size of a page."""
        return self._rows("/v1/webhooks/{id}/deliveries", m.WebhookDelivery, path={"id": id}, query={"limit": limit, "offset": offset, "sort": sort, "cursor": cursor, "maxTotal": max_total, "status": status})

    def retry_delivery(self, id: str, *, idempotency_key: str | None = None) -> m.WebhookDelivery:
        """Retry a delivery. At once, whatever its state, unless the endpoint is disabled or an earlier delivery of the same object waits for a retry."""
        return self._send("POST", "/v1/webhooks/deliveries/{id}/retry", m.WebhookDelivery, path={"id": id}, query=None, idempotency_key=idempotency_key, keyed=True)
