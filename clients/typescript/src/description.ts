/** Generated from the description of the API by `npm run client`. */

export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process is alive
         * @description Says nothing about PostgreSQL and Temporal: a restart would not help them.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the database and Temporal are reachable
         * @description 503 while one of them is down. For load balancers.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/serving": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a load balancer should send requests here
         * @description Follows the database alone. While Temporal is down the status is `degraded`: reads and deposits are served, and commands are answered 503.
         */
        get: operations["getServing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log an administrator in
         * @description The access token works for `expiresIn` seconds, with `x-company-id` of the administrator's company. Servers use an API key instead. Who has a second factor gets no tokens yet, but an `mfaToken` for `POST /v1/auth/mfa`.
         */
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/mfa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a login with a code of the second factor
         * @description A code works once. After 5 wrong codes of an administrator, over all logins, the answer is 429 for 15 minutes.
         */
        post: operations["finishLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a refresh token for a new pair of tokens; it can be used once
         * @description A used token ends the session, because somebody may have stolen it. With an idempotency key the exchange can be repeated: the same token and key get the same new refresh token. If that one was exchanged with the same key too, the answer has the latest token of the chain.
         */
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all sessions of the caller, at once
         * @description Access tokens and refresh tokens stop working; API keys go on.
         */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password; all sessions end, and the response is a new one
         * @description Also ends a temporary password, with which everything but reading is refused.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a link with which a forgotten password can be replaced
         * @description The answer is the same whether or not an administrator has the address. An address gets at most five links an hour.
         */
        post: operations["forgetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a new password with a link from a mail; all sessions end
         * @description The token works once, for 30 minutes. A second factor stays as it is.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to set up an authenticator app (RFC 6238) as second factor
         * @description It counts once a code confirms it. Until then a repetition makes another secret.
         */
        post: operations["beginSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable the second factor with a code of the app; the recovery codes are shown once
         * @description The service keeps only their hashes. Each one works once, in place of the app.
         */
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable the second factor with one of its codes
         * @description Logins then need the password alone, unless the company requires a second factor.
         */
        post: operations["disableSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your open sessions, the latest used first
         * @description Each login begins one. It ends with a logout, a new password, or seven days after its last refresh.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions, at once
         * @description Its access tokens and its refresh token stop working.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/core/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a tenant and its owner
         * @description The first call of an integration. The owner then logs in and creates an API key.
         */
        post: operations["registerCompany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/core/companies/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The company named by x-company-id
         * @description Its settings, with the defaults where nothing is set.
         */
        get: operations["getCompany"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the settings of the company; new fees apply to later escrows
         * @description Fields that are left out stay as they are; null clears. Setting an act of the order pages to `direct` needs what approving it needs.
         */
        patch: operations["updateCompany"];
        trace?: never;
    };
    "/v1/core/companies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the platform's fee on the later escrows of a company
         * @description Escrows that exist keep the fee they were created with.
         */
        patch: operations["updatePlatformFee"];
        trace?: never;
    };
    "/v1/core/companies/me/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Store the logo that the checkout shows, in place of an earlier one
         * @description A PNG or WebP image of at most 1 MiB. It is encoded again as PNG, without metadata, at most 480 by 160 pixels. Transparent parts are kept; the checkout shows the logo on white.
         */
        put: operations["storeLogo"];
        post?: never;
        /**
         * Remove the logo: the checkout shows the name alone
         * @description Removing it twice is the same.
         */
        delete: operations["removeLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/core/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The audit log, latest first, including refused attempts
         * @description One entry for each request that changed something or was refused to.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What needs a person, the most urgent first
         * @description What has a time limit comes first, then the oldest. In the platform's company a super administrator gets the work of all companies. PAYOUT and IDENTITY, which only the platform decides, are in that list alone. Nothing is stored: work is here as long as it stands.
         */
        get: operations["listWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/platform/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All companies, newest first
         * @description For the platform's administrators.
         */
        get: operations["listCompanies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/platform/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What waits, what fails and what was audited, over all companies
         * @description The metrics have the names that the metrics endpoint shows with the prefix `escrow_`.
         */
        get: operations["getServiceState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/core/companies/admins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The company's administrators
         * @description Removed ones are not listed.
         */
        get: operations["listAdministrators"];
        put?: never;
        /**
         * Add an administrator
         * @description Without a password the answer has a temporary one, which must be changed at the first login.
         */
        post: operations["addAdministrator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/core/companies/admins/{id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove an administrator; their tokens and the API keys that they made stop working at once
         * @description The OWNER cannot be removed.
         */
        post: operations["removeAdministrator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/core/companies/admins/{id}/reset-mfa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take the second factor of an administrator away, who lost it; all sessions of the administrator end
         * @description An owner may do it for the others, and only the platform for an owner.
         */
        post: operations["resetSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/core/companies/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The company's keys, newest first
         * @description Revoked ones are listed too. The raw keys are never shown again.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key; only this response contains the raw key
         * @description Needs a bearer token. The key has the role of its creator, or a lower one, for this company alone.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/core/companies/api-keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a key at once; it cannot be restored
         * @description Requests with it are refused with 401 from then on.
         */
        post: operations["revokeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/core/companies/api-keys/roll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a key, at once or after a grace period
         * @description A key replaces itself; an administrator names in `id` a key that they may revoke. In its grace period the old key administers nothing: it is refused (403) wherever keys, administrators, webhooks or settings of the company are changed, and it cannot be rolled again (409).
         */
        post: operations["rollApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identity/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The company's users, newest first
         * @description Buyers and sellers.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Register a user, with a ledger and one account per currency
         * @description A buyer or a seller. JSON, or a form where an identity document is sent along.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identity/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One user
         * @description With the id number and the bank account, for staff.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identity/users/{id}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The user's ledger and accounts
         * @description Escrows and deposits use the ids of these accounts.
         */
        get: operations["getUserLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identity/users/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All that is held about a person
         * @description The identity document is at `user.documentUrl`. Ids in rows have no prefix. The file is sent while it is read, so a connection that ends before the last `}` means that it is incomplete.
         */
        get: operations["exportUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identity/users/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a person; ids, amounts and times stay
         * @description Names, numbers, e-mail, metadata, documents, bank details and what was written about their orders are gone. It is refused while money, an escrow, a payment link, a payout or a debt of theirs is open, and within the retention period of the installation. References in the ledger and lines of the bank that match nothing of theirs stay, and backups keep what they have until they expire.
         */
        post: operations["eraseUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identity/users/{id}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The user's identity document
         * @description The bytes as they were uploaded, under their own media type.
         */
        get: operations["downloadDocument"];
        put?: never;
        /**
         * Store the user's identity document, in place of an earlier one
         * @description A document that differs sets an approved user back to level 1, until the platform has looked again. Metadata of images (position, camera, comments) is removed, except from BMP. BMP and PDF files are kept as they were sent.
         */
        post: operations["uploadDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identity/users/{id}/link-id": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the user's national id number, and a reference for deposits
         * @description A different number returns an approved user to level 1 until the platform approves them again.
         */
        post: operations["linkIdNumber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identity/financial-institutions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The banks that users can be paid at, shared by all companies
         * @description Public. Their ids are the `institutionId` of bank accounts.
         */
        get: operations["listFinancialInstitutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identity/financial-institutions/seed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add the banks of the service's list that do not exist yet
         * @description Changes nothing where none is missing: they are there from the start.
         */
        post: operations["seedFinancialInstitutions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identity/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A company's users, page by page
         * @description For the platform's administrators, of the company in `x-company-id`.
         */
        get: operations["listUsersForPlatform"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identity/admin/users/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a user's identity, or revoke the approval
         * @description An approved user has kycLevel 2. A change of id number or document takes the approval away.
         */
        post: operations["approveUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identity/admin/users/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Blacklist a user, or remove the user from the blacklist
         * @description A blacklisted user cannot be a party of new escrows, accept a link or withdraw. Running escrows go on.
         */
        post: operations["setUserStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/deposit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record a deposit for a user or the company
         * @description Where a bank capture has the same amount, currency and reference (compared with externalReference and userReference), the money is booked already: 409 `duplicate_reference`, with the id of the capture in `duplicateOf`.
         */
        post: operations["createDeposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/transaction/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One transaction of the company
         * @description Of any type: a deposit, a hold, a payment, a withdrawal.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/generate-escrow-payment-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a payment link and its escrow, which waits for the payment
         * @description `amount` rules; the items describe it. The buyer opens `url`, and the escrow becomes ACTIVE once the link is paid.
         */
        post: operations["createPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/link-details/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The public details of a payment link
         * @description For the checkout page. It never shows a number or an id number.
         */
        get: operations["getLinkDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The company's payment links, newest first
         * @description Each with the state of the link.
         */
        get: operations["listPaymentLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One payment link with its payment attempts and events
         * @description For support: what the buyer tried, and what became of it.
         */
        get: operations["getPaymentLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/request-checkout-otp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a one-time password for a payment link to its buyer; the answer does not tell whether the number is known
         * @description With `paymentSlug` the code pays that link. Without it, one of the open links that the message names.
         */
        post: operations["requestCheckoutOtp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/register-checkout-user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a buyer; a known number gets the same answer, and nothing changes
         * @description For a buyer whom no merchant has registered.
         */
        post: operations["registerCheckoutUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/accept-payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay from balance with a one-time password, or by mobile money
         * @description With `otp` and `messagingNumber` the buyer pays from the balance. With `phoneNumber` the buyer gets a prompt on that phone, and the answer comes within 22 s. In the sandbox, prompts to +263770000001 are declined, prompts to +263770000002 get no answer (PROCESSING, and declined after ten minutes of the test clock), and prompts to all other numbers are approved.
         */
        post: operations["acceptPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/reject-payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline to pay: the escrow is cancelled
         * @description Nothing was taken from the buyer.
         */
        post: operations["rejectPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/eft-pay/initiate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a checkout at the card gateway, or get the one that is open
         * @description The checkout page loads `scriptUrl` with its `integrity` to show the card form.
         */
        post: operations["initiateCardPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/eft-pay/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The result of a checkout, by the resource path that the widget returned
         * @description The gateway is asked; what the browser says is not believed. DECLINED leaves the link open for another try.
         */
        post: operations["verifyCardPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/eft-pay/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A notification of the gateway. The service checks it with the gateway and always answers 200
         * @description Never believed by itself: an unknown id does nothing.
         */
        post: operations["receiveGatewayNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/overview/{ledgerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A ledger's accounts and their totals per currency
         * @description Of a user or of the company.
         */
        get: operations["getLedgerOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/escrow/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The transactions of the company's escrows with the fees of company and platform, newest first
         * @description Holds, payments and refunds. For each escrow, holds less payments less refunds is what is held now.
         */
        get: operations["listEscrowHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/stats/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Volume and posting latency of the company's ledger
         * @description Since the process started, and of the last day.
         */
        get: operations["getSystemStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/stats/cashflow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Money that the company received and paid out, per period
         * @description A deposit in transit counts once its bank receipt is captured. Periods without any are zeros.
         */
        get: operations["getCashflow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/stats/position": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the company's money is now, and how old its open escrows are
         * @description For the first page of a dashboard.
         */
        get: operations["getPosition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/user/{userId}/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A user's accounts
         * @description One for each currency.
         */
        get: operations["listUserAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/company/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The company's own accounts: fees, taxes, system operations
         * @description One of each type and currency.
         */
        get: operations["listCompanyAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/verify-ledger-integrity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recompute every balance and hash; a super administrator audits all companies
         * @description Slow for large books. `ok` false needs a person at once.
         */
        get: operations["verifyLedgerIntegrity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/accounts/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One account and the ledger it belongs to
         * @description With its balance now.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Freeze or unfreeze an account
         * @description From a frozen account no money goes out and none is held: 422 `account_frozen`. Money still comes in, and what was held before is paid or given back, but for payouts that the bank does not have yet. The platform alone lifts its freeze. Contra sides of the books (TRANSIT, BANK, CLEARING_CARD and the like, RECEIVABLE, INTERCOMPANY) hold no money and cannot be frozen: 422 `account_not_freezable`.
         */
        patch: operations["setAccountFrozen"];
        trace?: never;
    };
    "/v1/ledger/reports/trial-balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The trial balance at an instant
         * @description Debit and credit are equal in each currency. The report of a past instant never changes.
         */
        get: operations["getTrialBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/reports/liabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the company owes its users at an instant
         * @description Files have all lines. The amounts of a past instant never change; names are those of today.
         */
        get: operations["getLiabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/reports/revenue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fees and taxes of a period, by rate
         * @description Fees count when they are paid. A tax that was given back counts against it.
         */
        get: operations["getRevenue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/accounts/{accountId}/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The statement of an account: opening balance, entries, totals and closing balance
         * @description Without dates: the last 30 days. A window that has ended ends before the oldest posting in flight (`endDate` says where), so its statement never changes. At most 10,000 entries. As JSON, or by `format` or the Accept header as CSV (text/csv), PDF (application/pdf) or ISO 20022 camt.053.001.08 (application/xml).
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/{ledgerId}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The transactions of a ledger, newest first
         * @description Holds and their release count, although they have no entries. Entries are those on accounts of the company: where the platform took a fee, its credit is on the platform's account and not shown.
         */
        get: operations["listLedgerTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/{ledgerId}/bank-details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ledger's default bank details in effect; null where none are
         * @description The number is shown but for its last characters.
         */
        get: operations["getBankDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the ledger's default bank details
         * @description Withdrawals that name no account use them from `effective_at` on: after `BANK_DETAILS_COOLING_HOURS`, or once a second administrator approves them. Until then they use the details in effect.
         */
        patch: operations["setBankDetails"];
        trace?: never;
    };
    "/v1/ledger/{ledgerId}/bank-details/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All changes of the ledger's bank details, newest first
         * @description Each with the time from which withdrawals used it.
         */
        get: operations["listBankDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/{ledgerId}/bank-details/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the wait of new bank details, or of payments to a new destination
         * @description By a second administrator, who is older than the change and did not make it: else 403. With pending details it ends their wait, and that of the withdrawals to them; without, that of the withdrawals of the ledger. Nothing waits: 409 `wrong_state`.
         */
        post: operations["approveBankDetails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/initiate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an escrow and hold the buyer's money
         * @description The buyer's account must have the money: deposit it first, or send the buyer a payment link instead. The held amount is the sum of the items, plus the fees where the buyer pays them.
         */
        post: operations["initiateEscrow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What an escrow would cost and pay, before it is initiated
         * @description Nothing is held, and nothing is promised: the escrow uses the fees that are in force when it is initiated.
         */
        post: operations["quoteEscrow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open disputes, oldest first
         * @description The queue of the administrators who decide.
         */
        get: operations["listDisputes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/dispute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The dispute of an escrow, open or decided, with the internal notes
         * @description For staff: the parties do not see the notes.
         */
        get: operations["getDispute"];
        put?: never;
        /**
         * Freeze the escrow until an administrator decides
         * @description Until then neither release nor cancel of the buyer works; evidence, a proposal and the administrator's decision do.
         */
        post: operations["disputeEscrow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/dispute/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign an open dispute to an administrator, or to nobody
         * @description The assignment tells who works on the dispute. Others may still decide it.
         */
        post: operations["assignDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/dispute/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add an internal note to a dispute
         * @description Notes are for the staff of the company and the platform. They are never changed or deleted.
         */
        post: operations["addDisputeNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The company's escrows, newest first
         * @description Filters can be combined.
         */
        get: operations["listEscrows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Escrows that are ACTIVE
         * @description In full, with items and milestones.
         */
        get: operations["listActiveEscrows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One escrow
         * @description Its `ETag` goes into `If-Match` of a command that must not meet another version.
         */
        get: operations["getEscrow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The events of an escrow, in order
         * @description More kinds of entries are added in time: ignore those that you do not know.
         */
        get: operations["getEscrowTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the escrow's workflow run waits for, and its next deadline
         * @description For support, asked of the run itself.
         */
        get: operations["getEscrowProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/order-pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the order pages of buyer and seller, or replace their addresses
         * @description Whoever has an address reads the order. Acting needs a code that is sent to the phone of the party.
         */
        post: operations["createOrderPages"];
        /**
         * End the order pages of an escrow
         * @description Their addresses stop to work at once.
         */
        delete: operations["endOrderPages"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file that buyer or seller sent on the order page
         * @description The timeline names it with its hash. It never changes.
         */
        get: operations["getEscrowFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What buyer and seller asked for on their order pages, newest first
         * @description A request waits for your answer until it lapses.
         */
        get: operations["listOrderRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/requests/{requestId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve what a party asked for; it happens at once
         * @description Needs the permission of the act. A request that is closed, or does not apply any more, is 409; the latter still waits.
         */
        post: operations["approveOrderRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/requests/{requestId}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse what a party asked for
         * @description An automatic release that it stopped is planned again, for the date that it had.
         */
        post: operations["refuseOrderRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/delivery-note": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The seller records dispatch
         * @description May be sent again for each parcel. Once notes or receipts cover the order, the automatic release begins.
         */
        post: operations["recordDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/goods-received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The buyer confirms receipt
         * @description Receipts add up to at most what was ordered. A receipt pays nothing: the release does.
         */
        post: operations["confirmReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release the money of the escrow, or of one milestone, to the seller
         * @description Without `milestoneId` all that is left is paid. The fees are taken of it.
         */
        post: operations["releaseEscrow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Postpone the automatic release, once, by at most thirty days
         * @description For a buyer who needs longer to check the goods.
         */
        post: operations["extendAutoRelease"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel the escrow and return the money to the buyer
         * @description Before the release. In a dispute the buyer cannot cancel: evidence, a proposal and the administrator's decision are the ways out.
         */
        post: operations["cancelEscrow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/negotiate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose another split of the held amount
         * @description The other side accepts or rejects it. What the plan leaves goes back to the buyer. In a dispute it is a settlement.
         */
        post: operations["proposeSplit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/milestones/{milestoneId}/adjust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose another payout for a milestone
         * @description The other side accepts or rejects it. The fees stay, and the rest goes back to the buyer at the release.
         */
        post: operations["proposeMilestonePayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/negotiate/{negId}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept the proposed split
         * @description By the side that did not propose it. In a dispute, an accepted proposal is paid at once.
         */
        post: operations["acceptSplit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/milestones/{milestoneId}/negotiate/{negId}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept the proposed payout of a milestone
         * @description By the side that did not propose it.
         */
        post: operations["acceptMilestonePayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/negotiate/{negId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject the proposed split
         * @description By the side that did not propose it. In a dispute, an accepted proposal is paid at once.
         */
        post: operations["rejectSplit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/milestones/{milestoneId}/negotiate/{negId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject the proposed payout of a milestone
         * @description By the side that did not propose it.
         */
        post: operations["rejectMilestonePayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/dispute/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add evidence to a dispute
         * @description By either side, or by an administrator. It stands in the timeline.
         */
        post: operations["addDisputeEvidence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/escrow/{id}/admin-resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide a dispute; the buyer gets back what the plan does not pay out
         * @description Final: the money is paid at once, and the escrow is RESOLVED.
         */
        post: operations["resolveDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay money out to a bank account
         * @description The amount and the transfer tax on it are held at once. When the bank has paid, they leave the account; when it refuses, everything is given back. Follow it by its id, which is also the id of its transaction. Without bank fields the money goes to the default bank details of the account's ledger, else to the user's bank account, else it is 400. The sandbox decides by the start of `externalReference`: `sandbox-rejected` is rejected (AC04), `sandbox-returned` is paid and returned after 5 s (AC06; the service asks again within an hour of the test clock), `sandbox-manual` stays PROCESSING until a tester decides, and everything else is paid after 1 s.
         */
        post: operations["createWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/withdrawals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The company's withdrawals, newest first
         * @description Each with its state at the bank.
         */
        get: operations["listWithdrawals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/withdrawals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One withdrawal with its events
         * @description Its `ETag` goes into `If-Match` of a command that must not meet another version.
         */
        get: operations["getWithdrawal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The tax on a withdrawal, before it is requested
         * @description Nothing is held, and nothing is promised: the withdrawal uses the rate that is in force when it is requested.
         */
        post: operations["quoteWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/withdrawals/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a withdrawal that the bank does not have yet
         * @description Gives amount and tax back. Once an attempt to hand the payment to the bank is recorded: 409 `wrong_state`. If the bank pays all the same, the withdrawal becomes COMPLETED, and the money is taken again.
         */
        post: operations["cancelWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/withdrawals/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a payment that was held back
         * @description For a payment whose account was frozen or whose user was blacklisted before the bank had it (`review_reason`). While the reason stands: 409 `wrong_state`. The platform alone resumes what it froze.
         */
        post: operations["resumeWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/withdrawals/{id}/outcome": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record the bank's decision about a payment by hand
         * @description For payments that the bank does not report on, or reports on in an unclear way. PAID settles the withdrawal, or takes the money again where it was given back; NOT_PAID gives it back.
         */
        post: operations["setWithdrawalOutcome"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/bank/capture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record a receipt that the bank reported
         * @description It settles the deposit in transit that equals it in reference, currency and amount; else it goes to the user whose customReference it carries; else it waits in SUSPENSE. One that equals a settled deposit waits there in any case, with possibleDuplicateOf. The reference is compared with the externalReference of deposits, and with their userReference.
         */
        post: operations["captureReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/captures/{id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign a receipt in SUSPENSE to a user
         * @description For receipts whose reference named nobody.
         */
        post: operations["assignCapture"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/captures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Receipts, newest first
         * @description Bank receipts, with what each was matched to.
         */
        get: operations["listCaptures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/bank/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The bank's statements, newest first
         * @description With how many of their entries are matched and open now.
         */
        get: operations["listBankStatements"];
        put?: never;
        /**
         * Store the bank's statements, and match their entries with the books
         * @description An ISO 20022 file camt.053.001.02 or 001.08 with statements of one or several accounts and at most 10,000 entries, as the body or as the field `file` of a form. It books no receipt and adds no cash for payouts: its entries confirm captures (by EndToEndId, remittance text or structured reference) and payouts (by EndToEndId), and settle the clearing accounts that the company's `settlement_references` name. An entry counts once, in whatever file it comes.
         */
        post: operations["addBankStatement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/bank/statements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A statement of the bank with its entries
         * @description Those that an earlier file brought are with that file.
         */
        get: operations["getBankStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/bank/entries/{id}/match": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Match an open entry of the bank by hand
         * @description With a capture or a payout of the same direction and amount, or as a settlement or a fee.
         */
        post: operations["matchBankEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/bank/reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare the bank with the books at an instant
         * @description Statements and entries of days that began before the instant, and what was posted before it. The difference of a currency equals its open items: those at the bank, which the books do not have, less those in the books, which the bank does not have. `totals` counts all of them.
         */
        get: operations["getBankReconciliation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/transaction/{id}/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reverse a deposit that bounced
         * @description Takes a deposit, or a bank receipt that settled no deposit, back from the account that has the money. A deposit in transit becomes FAILED, a settled one REVERSED. This only books: the card gateway is asked for no refund. If the money is spent or held: 422 `insufficient_funds`, and nothing changes. With isChargeback it is taken back in any case: the missing amount becomes the company's receivable. Until it is settled, the escrow that the money funded cannot be released, and the user cannot withdraw.
         */
        post: operations["reverseDeposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/receivables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What others owe the company, newest first
         * @description Debts that arose when money was taken back after it had been paid out.
         */
        get: operations["listReceivables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/receivables/{id}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle a receivable, or a part of it
         * @description Money that arrives later is a deposit or a receipt of the user; the source BALANCE then takes it from their account. WRITE_OFF takes it from the COMPANY account, and nobody owes it any more.
         */
        post: operations["settleReceivable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/seed-configs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the default transfer tax and fees that the company lacks
         * @description Transfer tax, system fee and service fee, each per currency. New escrows use the fees. Safe to repeat.
         */
        post: operations["seedFeeConfigs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/configs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The company's fees and tax rates, each with the instant from which it applies
         * @description New escrows and withdrawals use them.
         */
        get: operations["getFeeConfigs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/intercompany": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What companies owe the platform, per currency
         * @description For the platform's administrators.
         */
        get: operations["listIntercompanyDebts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/treasury/intercompany/{companyId}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle what a company owes the platform
         * @description Moves cash from the company's BANK account to the platform's. A repetition with the same key settles once.
         */
        post: operations["settleIntercompanyDebt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The company's test clock
         * @description Escrows, links, withdrawals and proposals follow it.
         */
        get: operations["getClock"];
        put?: never;
        /**
         * Move the company's time forward, and wake its workflows
         * @description What falls due on the way happens, as if the time had passed.
         */
        post: operations["advanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest 100 messages that were sent for the company, newest first
         * @description With their one-time passwords, for tests of the checkout.
         */
        get: operations["listSandboxMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The company's events, oldest first
         * @description Events of the last 90 days. A reader that pages with `after` sees each event once: no event ever appears before one that was read.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * New events as they happen, as Server-Sent Events
         * @description Each message has the id and the type of the event, and the event as JSON. A comment comes every 15 s. The server ends a stream after 5 minutes, or before its next message if the credential is no longer valid; with `Last-Event-ID` the client goes on where it was.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One event
         * @description As its webhook sent it.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The company's endpoints, oldest first
         * @description Their secrets are not shown.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Add an endpoint that receives events; only this response contains its secret
         * @description At most 20 endpoints. The endpoint receives every event from now on. Changes of the moments before enter the feed later, so they may be among them.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One endpoint
         * @description With why it is disabled, and since when it fails.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Remove an endpoint with its deliveries
         * @description Its events stay in the feed.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint, disable it, or enable it again
         * @description Fields that are left out stay as they are.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret; both sign during the grace period
         * @description Only this answer shows the new secret.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a signed message of the type `webhook.ping`, and see the answer
         * @description Waits for the endpoint's answer.
         */
        post: operations["pingWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the events of a period again, with their ids
         * @description For a receiver that lost some. It ignores the ids that it knows.
         */
        post: operations["replayEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was sent to the endpoint, newest first
         * @description Each with its latest attempts.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a delivery
         * @description At once, whatever its state, unless the endpoint is disabled or an earlier delivery of the same object waits for a retry.
         */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messaging/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Answer the messaging platform's challenge if the verify token is right
         * @description Called once, when the webhook is set up there.
         */
        get: operations["verifyMessagingWebhook"];
        put?: never;
        /**
         * Receive messages and delivery reports of the messaging platform
         * @description Its signature must be right.
         */
        post: operations["receiveMessagingNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "escrow.initiated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An escrow was created. */
        post: operations["onEscrowInitiated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.funded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The buyer's money is held for the escrow. */
        post: operations["onEscrowFunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.delivery_noted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The seller reported a delivery. */
        post: operations["onEscrowDeliveryNoted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.goods_received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The buyer confirmed received goods. */
        post: operations["onEscrowGoodsReceived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.milestone_released": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A milestone was paid out. */
        post: operations["onEscrowMilestoneReleased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.released": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The held money was paid out on request. */
        post: operations["onEscrowReleased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.auto_released": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The held money was paid out on its date. */
        post: operations["onEscrowAutoReleased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.release_blocked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The automatic release was refused and will be tried again. */
        post: operations["onEscrowReleaseBlocked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.auto_release_extended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The date of the automatic release was moved. */
        post: operations["onEscrowAutoReleaseExtended"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.auto_release_stopped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A buyer's request holds back any automatic release until you answer it, or until it lapses. */
        post: operations["onEscrowAutoReleaseStopped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.auto_release_resumed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A buyer's request was answered or lapsed, and no longer holds back the automatic release. */
        post: operations["onEscrowAutoReleaseResumed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.negotiation_proposed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A party proposed another division of the money. */
        post: operations["onEscrowNegotiationProposed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.negotiation_accepted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The other party accepted a proposal. In a dispute, the money was paid out as it says. */
        post: operations["onEscrowNegotiationAccepted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.negotiation_rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The other party rejected a proposal. */
        post: operations["onEscrowNegotiationRejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.negotiation_lapsed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A proposal ended without an answer. */
        post: operations["onEscrowNegotiationLapsed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.disputed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A party opened a dispute. */
        post: operations["onEscrowDisputed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.evidence_added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Evidence was added to a dispute. */
        post: operations["onEscrowEvidenceAdded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.resolved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An administrator decided the dispute. */
        post: operations["onEscrowResolved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The escrow was cancelled, and held money was returned. */
        post: operations["onEscrowCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.charged_back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The payment of the escrow was charged back, or refunded at the gateway. */
        post: operations["onEscrowChargedBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "escrow.chargeback_reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Money of a chargeback came back. */
        post: operations["onEscrowChargebackReversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment link was created. */
        post: operations["onPaymentLinkCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.checkout_opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The buyer opened a card form. */
        post: operations["onPaymentLinkCheckoutOpened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.charge_started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The buyer was asked to approve a mobile-money charge. */
        post: operations["onPaymentLinkChargeStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.payment_declined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment was declined. */
        post: operations["onPaymentLinkPaymentDeclined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.checkout_lapsed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An attempt to pay ended without a payment. */
        post: operations["onPaymentLinkCheckoutLapsed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.payment_mismatched": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment came with another amount or reference. */
        post: operations["onPaymentLinkPaymentMismatched"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.accepted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The link was paid. */
        post: operations["onPaymentLinkAccepted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.late_money": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Money came that the escrow no longer takes. */
        post: operations["onPaymentLinkLateMoney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Late money was refunded. */
        post: operations["onPaymentLinkRefunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.refund_refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A refund was refused, so the money stays on the balance of the buyer. */
        post: operations["onPaymentLinkRefundRefused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.taken_back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment was charged back, refunded at the gateway or reversed. */
        post: operations["onPaymentLinkTakenBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.brought_back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Money of a chargeback came back. */
        post: operations["onPaymentLinkBroughtBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The link was rejected or closed. */
        post: operations["onPaymentLinkRejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The link expired unpaid. */
        post: operations["onPaymentLinkExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A withdrawal was requested. */
        post: operations["onWithdrawalRequested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.submitted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The bank took the payment instruction. */
        post: operations["onWithdrawalSubmitted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.review_needed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A person has to look at the withdrawal. */
        post: operations["onWithdrawalReviewNeeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.resumed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment that was held back goes to the bank after all. */
        post: operations["onWithdrawalResumed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The withdrawal was cancelled before the bank had it, and the money was given back. */
        post: operations["onWithdrawalCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The bank paid the money out. */
        post: operations["onWithdrawalCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The bank refused the payment, and the money was given back. */
        post: operations["onWithdrawalFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.returned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The bank returned a payment, and the money was given back. */
        post: operations["onWithdrawalReturned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.settled_late": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The bank paid after the money was given back. */
        post: operations["onWithdrawalSettledLate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order_request.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A party asked on the order page for something that you approve or refuse. */
        post: operations["onOrderRequestCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order_request.approved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A request was approved and done. */
        post: operations["onOrderRequestApproved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order_request.refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A request was refused. */
        post: operations["onOrderRequestRefused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order_request.lapsed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A request ended without an answer. */
        post: operations["onOrderRequestLapsed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order_message.due": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A party is to be told about its order, by the service or by you. */
        post: operations["onOrderMessageDue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Money was deposited, settled or in transit. */
        post: operations["onDepositReceived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.settled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The money of a deposit in transit arrived. */
        post: operations["onDepositSettled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The money of a deposit in transit did not arrive. */
        post: operations["onDepositFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A settled deposit was reversed. */
        post: operations["onDepositReversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.reinstated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Money of a reversed deposit came back, because its chargeback was reversed. */
        post: operations["onDepositReinstated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "capture.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The bank reported a receipt. */
        post: operations["onCaptureReceived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "capture.assigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A receipt in suspense was assigned to a user. */
        post: operations["onCaptureAssigned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "capture.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The bank withdrew a receipt. */
        post: operations["onCaptureReversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A user was registered. */
        post: operations["onUserCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.approved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A person verified the identity of a user. */
        post: operations["onUserApproved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.approval_withdrawn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A user is no longer approved, on request or because the evidence changed. */
        post: operations["onUserApprovalWithdrawn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.blacklisted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A user was blacklisted. */
        post: operations["onUserBlacklisted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.cleared": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A user was taken off the blacklist. */
        post: operations["onUserCleared"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Details of a user were changed. */
        post: operations["onUserUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.erased": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A person was erased. Ids and amounts stay. */
        post: operations["onUserErased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.document_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The identity document of a user was stored. */
        post: operations["onUserDocumentChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "account.frozen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An account was frozen. */
        post: operations["onAccountFrozen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "account.unfrozen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An account was unfrozen. */
        post: operations["onAccountUnfrozen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bank_details.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The default bank details of a ledger were changed. */
        post: operations["onBankDetailsChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "company.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Settings of the company were changed. */
        post: operations["onCompanyUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An API key was made. */
        post: operations["onApiKeyCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.rolled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An API key was replaced and ends after its grace period. */
        post: operations["onApiKeyRolled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An API key was revoked. */
        post: operations["onApiKeyRevoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "administrator.added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An administrator was added. */
        post: operations["onAdministratorAdded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "administrator.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An administrator was removed. */
        post: operations["onAdministratorRemoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A webhook endpoint was disabled, on request or because its receiver failed. */
        post: operations["onWebhookEndpointDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.enabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A webhook endpoint was enabled again. */
        post: operations["onWebhookEndpointEnabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A message that only shows whether the receiver answers. */
        post: operations["onWebhookPing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description An escrow was created. */
        EscrowInitiatedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.initiated";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description An escrow with all that belongs to it. */
        Escrow: {
            /** @description Its id. */
            id: string;
            status: components["schemas"]["EscrowStatus"];
            /** @description Your own reference of the order. Null where a payment link had none. */
            externalReference: string | null;
            /**
             * @description The price of the order, without fees that the buyer pays on top. Integer cents.
             * @example 25000
             */
            totalAmount: string;
            currency: components["schemas"]["Currency"];
            /** @description The buyer. */
            buyer: {
                /** @description The user or company. */
                id: string;
                /** @description The name. Null: not known. */
                name: string | null;
            };
            /** @description The seller, a user or the company. */
            seller: {
                /** @description The user or company. */
                id: string;
                /** @description The name. Null: not known. */
                name: string | null;
            };
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /** @description The number of your invoice, for display only. */
            externalInvoiceNumber: string | null;
            /** @description Who pays the fees. */
            feePayer: components["schemas"]["Party"];
            splitPlan: components["schemas"]["SplitPlan"];
            /**
             * @description The amount that is held now. Integer cents.
             * @example 25000
             */
            heldAmount: string;
            /**
             * @description The amount that was paid to the seller. Integer cents.
             * @example 25000
             */
            releasedAmount: string;
            /**
             * @description The amount that was returned to the buyer. Integer cents.
             * @example 25000
             */
            refundedAmount: string;
            /**
             * @description The part of the funding payment that its payer took back.
             * @example 25000
             */
            chargedBackAmount: string;
            /** @description The fees that it was created with, and since when they apply. Null: its split plan was sent. */
            fees: {
                /**
                 * Format: int64
                 * @description The platform's fee, in hundredths of a per cent.
                 */
                system_fee_basis_points: number;
                /**
                 * Format: int64
                 * @description The company's own fee, in hundredths of a per cent.
                 */
                service_fee_basis_points: number;
                /**
                 * Format: date-time
                 * @description Since when the platform's fee has applied.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                system_fee_since: string;
                /**
                 * Format: date-time
                 * @description Since when the company's fee has applied.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                service_fee_since: string;
            } | null;
            /** @description The buyer's account that pays. */
            buyerAccountId: string;
            /** @description The seller's account that is paid. */
            sellerAccountId: string;
            /** @description The milestones, in order. */
            milestones: components["schemas"]["Milestone"][];
            /** @description The items. */
            items: components["schemas"]["EscrowItem"][];
            openNegotiation: components["schemas"]["Negotiation"] | null;
            /** @description The open dispute, or the decided one. Null: there was none. */
            dispute: {
                /** @description The dispute. */
                id: string;
                openedBy: components["schemas"]["Party"];
                /**
                 * Format: date-time
                 * @description When the dispute was opened.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                openedAt: string;
            } | null;
            /**
             * Format: date-time
             * @description When it is released by itself. Null: not, or not yet.
             * @example 2026-01-31T09:30:00.000Z
             */
            autoReleaseAt: string | null;
            /** @description The code of the problem that refused the last automatic release. It is tried again at autoReleaseAt. */
            releaseBlockedBy: string | null;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
            /**
             * Format: int64
             * @description Grows with every event of the escrow. As `"7"` it is the `ETag`, and the value of `If-Match`.
             */
            version: number;
        };
        /** @description Who gets how much. */
        SplitPlan: {
            /**
             * @description The platform's fee. Integer cents.
             * @example 25000
             */
            system_fee_cents: string;
            /**
             * @description The company's fee. Integer cents.
             * @example 25000
             */
            service_fee_cents: string;
            /**
             * @description The payout to the seller. Integer cents.
             * @example 25000
             */
            seller_payout_cents: string;
        };
        Milestone: {
            /** @description Its id. */
            id: string;
            /** @description The title. */
            title: string | null;
            /** @description What it is, in words. */
            description: string | null;
            /**
             * Format: double
             * @description Its part of the whole.
             */
            percentage: number;
            /**
             * @description The amount that is held for it. Integer cents.
             * @example 25000
             */
            amount: string;
            status: components["schemas"]["MilestoneStatus"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            sellerPayout: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            systemFee: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            serviceFee: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            buyerRefund: string;
            openNegotiation: components["schemas"]["Negotiation"] | null;
        };
        /** @description A proposal of another split. */
        Negotiation: {
            /** @description Its id. */
            id: string;
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "PENDING" | "ACCEPTED" | "REJECTED" | "LAPSED";
            proposedBy: components["schemas"]["Party"];
            /** @description The milestone. Null: the escrow as a whole. */
            milestoneId: string | null;
            splitPlan: components["schemas"]["SplitPlan"];
            /**
             * Format: date-time
             * @description When it expires.
             * @example 2026-01-31T09:30:00.000Z
             */
            expiresAt: string;
        };
        EscrowItem: {
            /** @description Its id. */
            id: string;
            /** @description Its name. */
            name: string | null;
            /** @description What it is, in words. */
            description: string | null;
            /**
             * Format: int64
             * @description How many pieces.
             */
            quantity: number;
            /**
             * Format: int64
             * @description The price of one piece, in cents.
             */
            pricePerUnit: number;
            /**
             * Format: int64
             * @description The pieces that the receipts confirm together.
             */
            receivedQuantity: number;
        };
        Item: {
            /** @description Its id. */
            id: string;
            /** @description Its name. */
            name: string | null;
            /** @description What it is, in words. */
            description: string | null;
            /**
             * Format: int64
             * @description How many pieces.
             */
            quantity: number;
            /**
             * Format: int64
             * @description The price of one piece, in cents.
             */
            pricePerUnit: number;
        };
        EscrowSummary: {
            /** @description Its id. */
            id: string;
            status: components["schemas"]["EscrowStatus"];
            /** @description Your own reference of the order. Null where a payment link had none. */
            externalReference: string | null;
            /**
             * @description The price of the order, without fees that the buyer pays on top. Integer cents.
             * @example 25000
             */
            totalAmount: string;
            currency: components["schemas"]["Currency"];
            /** @description The buyer. */
            buyer: {
                /** @description The user or company. */
                id: string;
                /** @description The name. Null: not known. */
                name: string | null;
            };
            /** @description The seller, a user or the company. */
            seller: {
                /** @description The user or company. */
                id: string;
                /** @description The name. Null: not known. */
                name: string | null;
            };
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
        };
        /** @description The buyer's money is held for the escrow. */
        EscrowFundedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.funded";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The seller reported a delivery. */
        EscrowDeliveryNotedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.delivery_noted";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The buyer confirmed received goods. */
        EscrowGoodsReceivedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.goods_received";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A milestone was paid out. */
        EscrowMilestoneReleasedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.milestone_released";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The held money was paid out on request. */
        EscrowReleasedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.released";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The held money was paid out on its date. */
        EscrowAutoReleasedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.auto_released";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The automatic release was refused and will be tried again. */
        EscrowReleaseBlockedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.release_blocked";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The date of the automatic release was moved. */
        EscrowAutoReleaseExtendedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.auto_release_extended";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A buyer's request holds back any automatic release until you answer it, or until it lapses. */
        EscrowAutoReleaseStoppedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.auto_release_stopped";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A buyer's request was answered or lapsed, and no longer holds back the automatic release. */
        EscrowAutoReleaseResumedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.auto_release_resumed";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A party proposed another division of the money. */
        EscrowNegotiationProposedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.negotiation_proposed";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The other party accepted a proposal. In a dispute, the money was paid out as it says. */
        EscrowNegotiationAcceptedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.negotiation_accepted";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The other party rejected a proposal. */
        EscrowNegotiationRejectedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.negotiation_rejected";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A proposal ended without an answer. */
        EscrowNegotiationLapsedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.negotiation_lapsed";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A party opened a dispute. */
        EscrowDisputedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.disputed";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description Evidence was added to a dispute. */
        EscrowEvidenceAddedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.evidence_added";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description An administrator decided the dispute. */
        EscrowResolvedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.resolved";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The escrow was cancelled, and held money was returned. */
        EscrowCancelledEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.cancelled";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The payment of the escrow was charged back, or refunded at the gateway. */
        EscrowChargedBackEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.charged_back";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description Money of a chargeback came back. */
        EscrowChargebackReversedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "escrow.chargeback_reversed";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "escrow";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Escrow"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A payment link was created. */
        PaymentLinkCreatedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "payment_link.created";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "payment_link";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["PaymentLinkEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A payment link. */
        PaymentLinkEventData: {
            /** @description The link. */
            id: string;
            status: components["schemas"]["PaymentLinkStatus"];
            /** @description The escrow. */
            escrowId: string;
            /** @description The user who shall pay. */
            buyerId: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            currency: components["schemas"]["Currency"];
            /** @description Your own reference. */
            externalReference: string | null;
            /** @description The transaction. */
            transactionId: string | null;
            /** @description The payments that the buyer tried, oldest first. */
            attempts: {
                /** @description Its id. */
                id: string;
                kind: components["schemas"]["PaymentKind"];
                /**
                 * @description open: at the card form; pending: the answer is not known yet.
                 * @enum {string}
                 */
                status: "open" | "pending" | "succeeded" | "declined" | "lapsed";
                /** @description Whether the money is refunded to its origin. */
                refund: ("due" | "done" | "refused") | null;
                /**
                 * @description The part of the payment that was charged back, refunded at the gateway or reversed.
                 * @example 25000
                 */
                takenBackAmount: string;
                /**
                 * Format: date-time
                 * @description When the buyer began to pay.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                startedAt: string;
                /** @description The deposit that booked the money. */
                transactionId: string | null;
            }[];
            /**
             * Format: date-time
             * @description When it expires.
             * @example 2026-01-31T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        /** @description The buyer opened a card form. */
        PaymentLinkCheckoutOpenedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "payment_link.checkout_opened";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "payment_link";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["PaymentLinkEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The buyer was asked to approve a mobile-money charge. */
        PaymentLinkChargeStartedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "payment_link.charge_started";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "payment_link";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["PaymentLinkEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A payment was declined. */
        PaymentLinkPaymentDeclinedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "payment_link.payment_declined";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "payment_link";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["PaymentLinkEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description An attempt to pay ended without a payment. */
        PaymentLinkCheckoutLapsedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "payment_link.checkout_lapsed";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "payment_link";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["PaymentLinkEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A payment came with another amount or reference. */
        PaymentLinkPaymentMismatchedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "payment_link.payment_mismatched";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "payment_link";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["PaymentLinkEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The link was paid. */
        PaymentLinkAcceptedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "payment_link.accepted";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "payment_link";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["PaymentLinkEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description Money came that the escrow no longer takes. */
        PaymentLinkLateMoneyEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "payment_link.late_money";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "payment_link";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["PaymentLinkEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description Late money was refunded. */
        PaymentLinkRefundedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "payment_link.refunded";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "payment_link";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["PaymentLinkEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A refund was refused, so the money stays on the balance of the buyer. */
        PaymentLinkRefundRefusedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "payment_link.refund_refused";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "payment_link";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["PaymentLinkEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A payment was charged back, refunded at the gateway or reversed. */
        PaymentLinkTakenBackEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "payment_link.taken_back";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "payment_link";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["PaymentLinkEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description Money of a chargeback came back. */
        PaymentLinkBroughtBackEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "payment_link.brought_back";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "payment_link";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["PaymentLinkEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The link was rejected or closed. */
        PaymentLinkRejectedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "payment_link.rejected";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "payment_link";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["PaymentLinkEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The link expired unpaid. */
        PaymentLinkExpiredEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "payment_link.expired";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "payment_link";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["PaymentLinkEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A withdrawal was requested. */
        WithdrawalRequestedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "withdrawal.requested";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "withdrawal";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["WithdrawalEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A withdrawal. */
        WithdrawalEventData: {
            /** @description The withdrawal's transaction. */
            id: string;
            status: components["schemas"]["WithdrawalStatus"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            /**
             * @description Transfer tax, taken on top of the amount. Integer cents.
             * @example 25000
             */
            taxAmount: string;
            /** @description Your reference. */
            reference: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The bank gets the payment no earlier, because the destination is new. Null: at once.
             * @example 2026-01-31T09:30:00.000Z
             */
            not_before: string | null;
            currency: components["schemas"]["Currency"];
            /** @description The account that pays. */
            accountId: string;
            /** @description The name of the bank. */
            bank_name: string;
            /** @description The code of the branch. */
            branch_code: string;
            /** @description The holder of the account at the bank. */
            account_name: string;
            /** @description The bank's reason code, if it rejected or returned the payment. */
            failure_reason: string | null;
            /**
             * @description The reason as a sentence.
             * @example The account is closed.
             */
            failure_description: string | null;
            /** @description Why a person has to look at the payment. `account_frozen` and `user_blacklisted`: it was not handed to the bank; resume or cancel it. Null: nobody has to. */
            review_reason: components["schemas"]["PayoutConcern"] | null;
            /** @description The payment's reference at the bank: EndToEndId in pain.001 and in camt.053. */
            end_to_end_id: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            /**
             * Format: int64
             * @description Grows with every event of the withdrawal. As `"3"` it is the `ETag`, and the value of `If-Match`.
             */
            version: number;
        };
        /** @description The bank took the payment instruction. */
        WithdrawalSubmittedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "withdrawal.submitted";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "withdrawal";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["WithdrawalEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A person has to look at the withdrawal. */
        WithdrawalReviewNeededEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "withdrawal.review_needed";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "withdrawal";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["WithdrawalEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A payment that was held back goes to the bank after all. */
        WithdrawalResumedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "withdrawal.resumed";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "withdrawal";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["WithdrawalEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The withdrawal was cancelled before the bank had it, and the money was given back. */
        WithdrawalCancelledEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "withdrawal.cancelled";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "withdrawal";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["WithdrawalEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The bank paid the money out. */
        WithdrawalCompletedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "withdrawal.completed";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "withdrawal";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["WithdrawalEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The bank refused the payment, and the money was given back. */
        WithdrawalFailedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "withdrawal.failed";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "withdrawal";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["WithdrawalEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The bank returned a payment, and the money was given back. */
        WithdrawalReturnedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "withdrawal.returned";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "withdrawal";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["WithdrawalEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The bank paid after the money was given back. */
        WithdrawalSettledLateEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "withdrawal.settled_late";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "withdrawal";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["WithdrawalEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A party asked on the order page for something that you approve or refuse. */
        OrderRequestCreatedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "order_request.created";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "order_request";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["OrderRequestEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A request on an order page. */
        OrderRequestEventData: {
            /** @description The request. */
            id: string;
            /** @description The escrow. */
            escrowId: string;
            /** @description What the party asked for. */
            act: components["schemas"]["OrderAct"];
            actor: components["schemas"]["Party"];
            /** @description Its state. */
            status: components["schemas"]["OrderRequestStatus"];
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it lapses, unless it is answered before.
             * @example 2026-01-31T09:30:00.000Z
             */
            lapsesAt: string;
        };
        /** @description A request was approved and done. */
        OrderRequestApprovedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "order_request.approved";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "order_request";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["OrderRequestEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A request was refused. */
        OrderRequestRefusedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "order_request.refused";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "order_request";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["OrderRequestEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A request ended without an answer. */
        OrderRequestLapsedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "order_request.lapsed";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "order_request";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["OrderRequestEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A party is to be told about its order, by the service or by you. */
        OrderMessageDueEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "order_message.due";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "order_message";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["OrderMessageEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A message to a party of an order. */
        OrderMessageEventData: {
            /** @description The message. */
            id: string;
            /** @description The escrow. */
            escrowId: string;
            party: components["schemas"]["Party"];
            /**
             * @description What the party is to be told.
             * @enum {string}
             */
            kind: "DELIVERY" | "RELEASE_IN_48_HOURS" | "RELEASE_IN_6_HOURS" | "PROPOSAL" | "DISPUTE" | "DECISION" | "SETTLEMENT" | "PAYOUT" | "CANCELLATION" | "REJECTION" | "REFUSAL" | "CHARGEBACK";
            /**
             * Format: date-time
             * @description When it was due.
             * @example 2026-01-31T09:30:00.000Z
             */
            dueAt: string;
            /** @description Null: the service sends it. SWITCHED_OFF: you send your own; STOPPED: the party wants none; LIMIT: the number had too many; NO_NUMBER: the party has none. */
            notSentBecause: ("SWITCHED_OFF" | "STOPPED" | "LIMIT" | "NO_NUMBER") | null;
        };
        /** @description Money was deposited, settled or in transit. */
        DepositReceivedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "deposit.received";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "deposit";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["DepositEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A deposit. */
        DepositEventData: {
            /** @description Its id. */
            id: string;
            type: components["schemas"]["TransactionType"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            currency: components["schemas"]["Currency"];
            status: components["schemas"]["TransactionStatus"];
            /** @description The reference that it was made with. */
            reference: string | null;
            /** @description The escrow that it belongs to. Null: none. */
            escrowId: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /** @description The account that was credited. */
            accountId: string;
            /** @description Any JSON object of your own, at most 16 KiB. */
            metadata: {
                /** @description How a buyer paid. Absent for declared deposits. */
                source?: components["schemas"]["PaymentKind"];
            };
        };
        /** @description The money of a deposit in transit arrived. */
        DepositSettledEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "deposit.settled";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "deposit";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["DepositEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The money of a deposit in transit did not arrive. */
        DepositFailedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "deposit.failed";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "deposit";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["DepositEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A settled deposit was reversed. */
        DepositReversedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "deposit.reversed";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "deposit";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["DepositEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description Money of a reversed deposit came back, because its chargeback was reversed. */
        DepositReinstatedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "deposit.reinstated";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "deposit";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["DepositEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The bank reported a receipt. */
        CaptureReceivedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "capture.received";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "capture";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["CaptureEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A receipt. */
        CaptureEventData: {
            /** @description The receipt. */
            id: string;
            /**
             * @description Its type.
             * @enum {string}
             */
            type: "BANK_CAPTURE";
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            currency: components["schemas"]["Currency"];
            status: components["schemas"]["TransactionStatus"];
            /** @description Where the money went. */
            matchedTo: {
                kind: components["schemas"]["CaptureMatch"];
                /** @description The deposit, the user or the suspense account. */
                id: string;
            };
            /** @description A settled deposit that may report the same money. Check it before you assign the receipt. */
            possibleDuplicateOf: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        /** @description A receipt in suspense was assigned to a user. */
        CaptureAssignedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "capture.assigned";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "capture";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["CaptureEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The bank withdrew a receipt. */
        CaptureReversedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "capture.reversed";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "capture";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["CaptureEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A user was registered. */
        UserCreatedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "user.created";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "user";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["UserEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A user. */
        UserEventData: {
            /** @description Its id. */
            id: string;
            /** @description The first name. */
            firstName: string | null;
            /** @description The last name. */
            lastName: string | null;
            /**
             * Format: int64
             * @description 1: registered; 2: approved by the platform.
             */
            kycLevel: number;
            identityStatus: components["schemas"]["IdentityStatus"];
            /** @description The fields that changed, in `user.updated`. */
            changed: string[];
            /** @description The approved fields that have changed since. */
            changedSinceApproval: components["schemas"]["IdentityEvidence"][];
            /** @description Bank deposits with this reference go to the user. */
            customReference: string | null;
            /** @description Whether an identity document is stored. */
            hasDocument: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
        };
        /** @description A person verified the identity of a user. */
        UserApprovedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "user.approved";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "user";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["UserEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A user is no longer approved, on request or because the evidence changed. */
        UserApprovalWithdrawnEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "user.approval_withdrawn";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "user";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["UserEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A user was blacklisted. */
        UserBlacklistedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "user.blacklisted";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "user";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["UserEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A user was taken off the blacklist. */
        UserClearedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "user.cleared";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "user";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["UserEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description Details of a user were changed. */
        UserUpdatedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "user.updated";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "user";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["UserEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A person was erased. Ids and amounts stay. */
        UserErasedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "user.erased";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "user";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["UserEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The identity document of a user was stored. */
        UserDocumentChangedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "user.document_changed";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "user";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["UserEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description An account was frozen. */
        AccountFrozenEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "account.frozen";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "account";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["AccountEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description An account. */
        AccountEventData: {
            /** @description Its id. */
            id: string;
            /** @description The ledger. */
            ledgerId: string;
            /** @description What the account is for. Users have USER accounts. */
            type: components["schemas"]["AccountType"];
            currency: components["schemas"]["Currency"];
            /** @description Whether outgoing money is refused. */
            is_frozen: boolean;
        };
        /** @description An account was unfrozen. */
        AccountUnfrozenEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "account.unfrozen";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "account";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["AccountEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description The default bank details of a ledger were changed. */
        BankDetailsChangedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "bank_details.changed";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "bank_details";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["BankDetailsEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A change of bank details. */
        BankDetailsEventData: {
            /** @description The ledger. */
            id: string;
            /** @description The ledger. */
            ledgerId: string;
            /** @description The latest details before; null: there were none. */
            before: {
                /** @description The name of the bank. */
                bank_name: string;
                /** @description The code of the branch. */
                branch_code: string;
                /** @description All but the last four characters hidden. */
                account_number: string;
                /** @description The holder of the account at the bank. */
                account_name: string;
            } | null;
            /** @description The new details. */
            after: {
                /** @description The name of the bank. */
                bank_name: string;
                /** @description The code of the branch. */
                branch_code: string;
                /** @description All but the last four characters hidden. */
                account_number: string;
                /** @description The holder of the account at the bank. */
                account_name: string;
            };
            /**
             * Format: date-time
             * @description When they were set.
             * @example 2026-01-31T09:30:00.000Z
             */
            changed_at: string;
            /** @description The administrator or API key that set them, or the user on an order page. */
            changed_by: string;
            /**
             * Format: date-time
             * @description When they take effect, unless they are approved or replaced before.
             * @example 2026-01-31T09:30:00.000Z
             */
            effective_at: string;
        };
        /** @description Settings of the company were changed. */
        CompanyUpdatedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "company.updated";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "company";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["CompanyEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A change of the settings of the company. */
        CompanyEventData: {
            /** @description The company. */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description The settings that changed. */
            changed: string[];
        };
        /** @description An API key was made. */
        ApiKeyCreatedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "api_key.created";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "api_key";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["ApiKeyEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description An API key. */
        ApiKeyEventData: {
            /** @description The key, for revoking it. */
            id: string;
            /** @description A label, for people. */
            name: string;
            /** @description The first eight characters after `esc_t_` or `esc_l_`, to tell keys apart. */
            key_prefix: string;
            /** @description Whether the key works. */
            is_active: boolean;
            /** @description The role of its creator at that time. */
            role: components["schemas"]["Role"];
            /** @description Everything that the key may do. */
            permissions: components["schemas"]["Permission"][];
            /**
             * Format: date-time
             * @description Null: it works until it is revoked.
             * @example 2026-01-31T09:30:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description The end of the grace period of a rolled key: at once without one. Null: it was not rolled.
             * @example 2026-01-31T09:30:00.000Z
             */
            active_until: string | null;
            /** @description The administrator who made the key, or made the key that it was rolled from. */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        /** @description An API key was replaced and ends after its grace period. */
        ApiKeyRolledEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "api_key.rolled";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "api_key";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["ApiKeyEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description An API key was revoked. */
        ApiKeyRevokedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "api_key.revoked";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "api_key";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["ApiKeyEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description An administrator was added. */
        AdministratorAddedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "administrator.added";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "administrator";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Administrator"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A person who acts for a company. */
        Administrator: {
            /** @description The administrator. */
            id: string;
            /** @description The first name. */
            firstName: string;
            /** @description The last name. */
            lastName: string;
            /** @description The e-mail address. */
            email: string;
            role: components["schemas"]["Role"];
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        /** @description An administrator was removed. */
        AdministratorRemovedEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "administrator.removed";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "administrator";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["Administrator"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A webhook endpoint was disabled, on request or because its receiver failed. */
        WebhookEndpointDisabledEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "webhook_endpoint.disabled";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "webhook_endpoint";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["WebhookEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A webhook endpoint. */
        WebhookEventData: {
            /** @description Its id. */
            id: string;
            /** @description Without its query, which may hold a secret of the receiver. */
            url: string;
            /** @description The types of events that are sent, or `*` for all. */
            events: string[];
            /** @description What it is, in words. */
            description: string | null;
            status: components["schemas"]["WebhookStatus"];
            /** @description REQUESTED: by hand. GONE: the receiver answered 410. FAILING: it failed for three days. */
            disabledReason: components["schemas"]["WebhookDisabledReason"] | null;
            /** @description The administrator or the API key that added the endpoint. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
        };
        /** @description A webhook endpoint was enabled again. */
        WebhookEndpointEnabledEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "webhook_endpoint.enabled";
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description What changed. */
            object: {
                /**
                 * @description The kind of object.
                 * @enum {string}
                 */
                kind: "webhook_endpoint";
                /** @description Its id. */
                id: string;
            };
            data: components["schemas"]["WebhookEventData"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description A message that only shows whether the receiver answers. */
        WebhookPingEvent: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /** @description The company. */
            companyId: string;
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * @description The type of the message.
             * @enum {string}
             */
            type: "webhook.ping";
            /**
             * Format: date-time
             * @description When it was sent.
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description Null: it is about no object. */
            object: {
                kind: components["schemas"]["EventObjectKind"];
                /** @description Its id. */
                id: string;
            } | null;
            /** @description Empty. */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: int64
             * @description Null: it is not in the feed.
             */
            position: number | null;
        };
        /** @description A user's account at a bank. */
        BankAccount: {
            /** @description The bank, of the list of financial institutions. */
            institutionId: string;
            /** @description The number of the account at the bank. */
            accountNumber: string;
            /** @description The holder of the account at the bank. */
            accountName: string | null;
            /** @description The name of the branch. */
            branchName: string | null;
            /** @description The code of the branch. */
            branchCode: string | null;
        };
        /** @description A user's account at a bank. */
        BankAccountRequest: {
            /**
             * @description The bank, of the list of financial institutions.
             * @example inst_01900000-0000-7000-8000-000000000001
             */
            institutionId: string;
            /** @description The number of the account at the bank. */
            accountNumber: string;
            /** @description The holder of the account at the bank. */
            accountName?: string | null;
            /** @description The name of the branch. */
            branchName?: string | null;
            /** @description The code of the branch. */
            branchCode?: string | null;
        };
        /** @description The other side of a line. Null for another company's transaction. */
        Counterparty: {
            /** @description BANK_ACCOUNT: the payee of a withdrawal. EXTERNAL: money from outside, or back to it. */
            kind: components["schemas"]["CounterpartyKind"];
            /** @description Of a user or company. */
            id: string | null;
            /** @description For EXTERNAL the deposit's `userReference`, else the name of the user, company or bank account. */
            name: string | null;
        };
        /** @description The order pages of both parties. */
        OrderPages: {
            /** @description The page of the buyer. */
            buyerUrl: string;
            /** @description The page of the seller. Null: the company itself sells. */
            sellerUrl: string | null;
        };
        /** @description Who gets how much. In an escrow or link the three add up to its amount; in a proposal or decision the rest goes back to the buyer. */
        SplitPlanRequest: {
            /**
             * Format: int64
             * @description The platform's fee, in cents; 0 or more.
             */
            system_fee_cents: number;
            /**
             * Format: int64
             * @description The company's fee, in cents; 0 or more.
             */
            service_fee_cents: number;
            /**
             * Format: int64
             * @description The payout to the seller, in cents; 0 or more.
             */
            seller_payout_cents: number;
        };
        Health: {
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "ok";
            /** @description The version of the service. */
            version: string;
            /**
             * Format: int64
             * @description Seconds since the start.
             */
            uptimeSeconds: number;
        };
        Readiness: {
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "ok" | "unavailable";
            /** @description Each dependency. */
            checks: {
                /**
                 * @description PostgreSQL.
                 * @enum {string}
                 */
                database: "up" | "down";
                /**
                 * @description Temporal.
                 * @enum {string}
                 */
                temporal: "up" | "down";
            };
        };
        Serving: {
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "ok" | "degraded" | "unavailable";
            /** @description Each dependency. */
            checks: {
                /**
                 * @description PostgreSQL.
                 * @enum {string}
                 */
                database: "up" | "down";
                /**
                 * @description Temporal.
                 * @enum {string}
                 */
                temporal: "up" | "down";
            };
        };
        LoginAnswer: components["schemas"]["Session"] | components["schemas"]["MfaChallenge"];
        Session: {
            /** @description The bearer token; it works for `expiresIn` seconds. */
            accessToken: string;
            /** @description The token that refreshes the session. */
            refreshToken: string;
            /** @description The administrator. */
            userId: string;
            /**
             * Format: int64
             * @description Seconds until the access token expires.
             */
            expiresIn: number;
            /** @description The company. */
            companyId: string;
            role: components["schemas"]["Role"];
            /** @description Whether the password is temporary: `POST /v1/auth/password` changes it. */
            mustChangePassword: boolean;
            /** @description Whether a second factor is enabled. */
            hasMfa: boolean;
            /** @description A second factor is required, and none is enabled. */
            mustEnrolMfa: boolean;
        };
        MfaChallenge: {
            /** @description The password was right; a code of the second factor is still needed. */
            mfaRequired: boolean;
            /** @description For `POST /v1/auth/mfa`, for ten minutes. */
            mfaToken: string;
            /** @description The kinds of code that are accepted. */
            methods: ("totp" | "recovery_code")[];
        };
        Problem: {
            /** @description A URN with the code. */
            type: string;
            /** @description The code as a sentence. */
            title: string;
            /**
             * Format: int64
             * @description The HTTP status.
             */
            status: number;
            /** @description This case as a sentence. */
            detail?: string;
            /** @description A URN of the request. */
            instance: string;
            /**
             * @description Stable, for programs.
             * @example insufficient_funds
             */
            code: string;
            /** @description The `X-Request-Id` of the answer, for support. */
            requestId: string;
            /** @description The fields that were refused. */
            errors?: {
                /** @description The field. */
                path: string;
                /** @description What is wrong, as a sentence. */
                message: string;
            }[];
            details?: components["schemas"]["AmountDetails"];
            /** @description Why, where `code` leaves that open: what is wrong with a file, or who else may do what is forbidden. */
            reason?: {
                /**
                 * @description Stable, for programs.
                 * @example balances_differ
                 */
                code: string;
                /** @description What was found, if the reason is about a value. */
                value?: string;
            };
            /** @description With `duplicate_reference`: the deposit or capture that reports the same money. With `already_exists`: what the first request with this idempotency key made. */
            duplicateOf?: string;
        };
        /** @description The amounts of a refusal about money, for callers with the permission `read`. Public operations never send them. `wrong_state`: `available` is the remaining debt, if the request pays more; `requested` is the payment. `payout_not_backed`: `available` is the amount that the company may still pay out; negative if it has paid out more than it received; `requested` is the payout. `insufficient_funds`: `available` is the available balance of the account that pays, as `available_balance`; `requested` is the amount of the request, with tax. `split_mismatch`: `available` is the amount to divide; `requested` is the sum of the plan. `split_exceeds_held`: `available` is the held amount that can be divided; `requested` is the sum of the plan. `price_mismatch`: `available` is the price that was ordered; `requested` is the price in the request. `amount_too_large`: `available` is the largest total of the ledger; `requested` is the total of the request. */
        AmountDetails: {
            /**
             * @description Integer cents.
             * @example 25000
             */
            available: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            requested: string;
            currency: components["schemas"]["Currency"];
        };
        Credentials: {
            /** @description The e-mail address. */
            email: string;
            /** @description The password. */
            password: string;
        };
        SecondStep: {
            /** @description The `mfaToken` of the login. */
            mfaToken: string;
            /** @description Six digits of the app, or a recovery code. */
            code: string;
        };
        RefreshRequest: {
            /** @description The token that refreshes the session. */
            refreshToken: string;
            /**
             * @description The administrator, as the login answered.
             * @example adm_01900000-0000-7000-8000-000000000001
             */
            userId: string;
        };
        PasswordChange: {
            /** @description The password that stands. */
            currentPassword: string;
            /** @description The new password, at least 10 characters. */
            newPassword: string;
        };
        ForgottenPassword: {
            /** @description The e-mail address of an administrator. */
            email: string;
        };
        PasswordReset: {
            /** @description The token of the link. */
            token: string;
            /** @description The new password, at least 10 characters. */
            newPassword: string;
        };
        FactorCode: {
            /** @description Six digits of the app, or a recovery code. */
            code: string;
        };
        OpenSession: {
            /** @description Its id. */
            id: string;
            /**
             * Format: date-time
             * @description When it began.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description To the minute.
             * @example 2026-01-31T09:30:00.000Z
             */
            lastUsedAt: string;
            /** @description The address of the login. */
            ip: string | null;
            /** @description The program of the login. */
            userAgent: string | null;
            /** @description Whether it is the session of this request. */
            current: boolean;
        };
        /** @description The pages on which buyers and sellers follow their orders. */
        OrderPageSettings: {
            /** @description Whether escrows of the company have order pages. */
            enabled: boolean;
            /** @description Whether the service tells the parties about their orders. The events come in either case. */
            messages: boolean;
            /**
             * Format: int32
             * @description Hours after which a request lapses that nobody has answered.
             */
            ask_hours: number;
            /** @description What the parties may do on the pages. */
            acts: {
                confirm_receipt: components["schemas"]["OrderActMode"];
                release: components["schemas"]["OrderActMode"];
                extend: components["schemas"]["OrderActMode"];
                ask_cancel: components["schemas"]["OrderActMode"];
                dispatch: components["schemas"]["OrderActMode"];
                dispute: components["schemas"]["OrderActMode"];
                evidence: components["schemas"]["OrderActMode"];
                propose: components["schemas"]["OrderActMode"];
                answer: components["schemas"]["OrderActMode"];
                payout_details: components["schemas"]["OrderActMode"];
                payout: components["schemas"]["OrderActMode"];
            };
        };
        Company: {
            /** @description Its id. */
            id: string;
            /** @description The name that buyers see. */
            name: string;
            /** @description The name in addresses. */
            slug: string;
            /**
             * Format: int64
             * @description The platform's fee, in hundredths of a per cent.
             */
            system_fee_basis_points: number;
            /**
             * Format: int64
             * @description The company's own fee, in hundredths of a per cent.
             */
            service_fee_basis_points: number;
            /**
             * Format: int64
             * @description Hours after which a covered order is released by itself. Null: never.
             */
            auto_release_hours: number | null;
            /** @description The seller of payment links that name none. Null: the company itself. */
            default_seller_id: string | null;
            /**
             * @description The region of phone numbers without a plus.
             * @example ZW
             */
            default_phone_region: string;
            /** @description The hosts that `successUrl` and `cancelUrl` of payment links may name. */
            checkout_hosts: string[];
            /** @description The colour of the checkout's buttons. */
            brand_color: string | null;
            /** @description The public address of the logo. It changes with the image. */
            logo_url: string | null;
            /** @description The texts by which the bank's statement names their payments. */
            settlement_references: {
                /** @description The text that names settlements of the card gateway. */
                card: string | null;
                /** @description The text that names settlements of mobile money. */
                mobile: string | null;
            };
            /**
             * Format: int64
             * @description The part of a settlement that may be missing as the gateway's fee.
             */
            settlement_fee_basis_points: number;
            /** @description Shown to buyers who need help. */
            support_email: string | null;
            /** @description The terms that the checkout links to. */
            terms_url: string | null;
            /** @description The postal address, in PDF files. */
            address: string | null;
            /** @description The number at the tax office, in PDF files. */
            tax_number: string | null;
            /** @description The number in the register of companies, in PDF files. */
            registration_number: string | null;
            /**
             * @description An IANA name. Console, checkout and PDFs show times in this zone; the API answers in UTC.
             * @example Africa/Harare
             */
            time_zone: string;
            order_pages: components["schemas"]["OrderPageSettings"];
            /** @description Whether administrators need a second factor. */
            require_mfa: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        NewCompany: {
            /** @description Its name. It stands in messages: without addresses and phone numbers. */
            name: string;
            /** @description The name in addresses. By default made from the name. */
            slug?: string | null;
            /** @description The first administrator, its OWNER. */
            admin: {
                /** @description The first name. */
                firstName: string;
                /** @description The last name. */
                lastName: string;
                /**
                 * Format: email
                 * @description The e-mail address.
                 */
                email: string;
                /** @description The password, at least 10 characters. */
                password: string;
            };
        };
        CompanySettings: {
            /** @description Its name. It stands in messages: without addresses and phone numbers. */
            name?: string;
            /**
             * Format: int32
             * @description The company's own fee on later escrows, in hundredths of a per cent.
             */
            service_fee_basis_points?: number;
            /**
             * Format: int32
             * @description Hours after which a covered order is released by itself. Null: never.
             */
            auto_release_hours?: number | null;
            /**
             * @description The seller of payment links that name none. Null: the company itself.
             * @example usr_01900000-0000-7000-8000-000000000001
             */
            default_seller_id?: string | null;
            /**
             * @description The region of phone numbers without a plus, such as ZW. Null: the default of the service.
             * @example ZW
             */
            default_phone_region?: string | null;
            /** @description The hosts that `successUrl` and `cancelUrl` of payment links may name. */
            checkout_hosts?: string[];
            /**
             * @description The colour of the buttons in the checkout. White text on it needs a contrast of 4.5 to 1 (WCAG AA).
             * @example #0d6a4e
             */
            brand_color?: string | null;
            /** @description The texts by which the bank's statement names the payments of the card gateway and of mobile money. Merged field by field. */
            settlement_references?: {
                /** @description The text that names settlements of the card gateway. */
                card?: string | null;
                /** @description The text that names settlements of mobile money. */
                mobile?: string | null;
            };
            /**
             * Format: int32
             * @description The part of a settlement that may be missing as the gateway's fee.
             */
            settlement_fee_basis_points?: number;
            /**
             * Format: email
             * @description Where buyers get help. Shown in the checkout.
             */
            support_email?: string | null;
            /** @description Whether administrators need a second factor. */
            require_mfa?: boolean;
            /**
             * Format: uri
             * @description The https address of the company's terms, linked in the checkout.
             */
            terms_url?: string | null;
            /** @description The postal address on one line, in PDF files. Null: none. */
            address?: string | null;
            /** @description The number at the tax office, in PDF files. Null: none. */
            tax_number?: string | null;
            /** @description The number in the register of companies, in PDF files. Null: none. */
            registration_number?: string | null;
            order_pages?: components["schemas"]["OrderPageChange"];
            /**
             * @description An IANA name, for the dates that people see and type. Null: UTC.
             * @example Africa/Harare
             */
            time_zone?: string | null;
        };
        /** @description Merged field by field. */
        OrderPageChange: {
            /** @description Whether escrows of the company have order pages. */
            enabled?: boolean;
            /** @description Whether the service tells the parties about their orders. The events come in either case. */
            messages?: boolean;
            /**
             * Format: int32
             * @description Hours after which a request lapses that nobody has answered.
             */
            ask_hours?: number;
            /** @description What the parties may do on the pages. */
            acts?: {
                confirm_receipt?: components["schemas"]["OrderActMode"];
                release?: components["schemas"]["OrderActMode"];
                extend?: components["schemas"]["OrderActMode"];
                ask_cancel?: components["schemas"]["OrderActMode"];
                dispatch?: components["schemas"]["OrderActMode"];
                dispute?: components["schemas"]["OrderActMode"];
                evidence?: components["schemas"]["OrderActMode"];
                propose?: components["schemas"]["OrderActMode"];
                answer?: components["schemas"]["OrderActMode"];
                payout_details?: components["schemas"]["OrderActMode"];
                payout?: components["schemas"]["OrderActMode"];
            };
        };
        CompanyPlatformSettings: {
            /**
             * Format: int32
             * @description The platform's fee on later escrows, in hundredths of a per cent.
             */
            system_fee_basis_points?: number;
            /** @description Cents per currency that may be paid out beyond the money that came in for the company. */
            payout_limits?: {
                /**
                 * Format: int64
                 * @description Cents.
                 */
                USD?: number;
                /**
                 * Format: int64
                 * @description Cents.
                 */
                ZIG?: number;
            };
        };
        LogoForm: {
            /**
             * Format: binary
             * @description A PNG or WebP image of at most 1 MiB.
             */
            logo: string;
        };
        AuditEntry: {
            /** @description Its id. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /** @description `service`: the service disabled a webhook endpoint by itself. `id` is the endpoint, and `role` is null. `unknown`: a login with an e-mail address that no administrator has. `id` and `role` are null, and `resource` is `email:` and a keyed hash of the address. Only the platform's own company has such lines. `temporal`: a run carried out a message that was sent past this interface; `operation` is `signal:` or `update:` and its name, and nobody is named. `party`: a user acted on an order page; `operation` is `page:` and the act. */
            actor: {
                /**
                 * @description The kind of the actor.
                 * @enum {string}
                 */
                kind: "api_key" | "administrator" | "party" | "service" | "temporal" | "unknown";
                /** @description Its id. */
                id: string | null;
                role: components["schemas"]["Role"] | null;
            };
            /**
             * @description The id of the operation.
             * @example POST /v1/escrow/{id}/release
             */
            operation: string;
            /** @description The id of the resource. Null: the request names none. */
            resource: string | null;
            /**
             * Format: int64
             * @description The HTTP status of the answer.
             */
            status: number;
            /** @description The address of the caller. Null: the caller is a party on an order page. */
            ip: string | null;
            /** @description What changed, where it decides over money or its destination. Numbers of accounts are masked. */
            changes: {
                /** @description The field. */
                field: string;
                /** @description Its value before; null: none. */
                before: string | null;
                /** @description Its value after; null: none. */
                after: string | null;
            }[] | null;
            /** @description The `X-Request-Id` of the request. */
            requestId: string | null;
            source: components["schemas"]["Source"];
        };
        Work: {
            /**
             * @description The same as long as it stands.
             * @example wrk_01900000-0000-7000-8000-000000000001
             */
            id: string;
            /** @description Which work it is. */
            kind: components["schemas"]["WorkKind"];
            /** @description What a person looks at. */
            subject: {
                /**
                 * @description Its kind.
                 * @enum {string}
                 */
                type: "escrow" | "order_request" | "order_message" | "payment_link" | "withdrawal" | "deposit" | "capture" | "user" | "account" | "bank_details" | "company" | "api_key" | "administrator" | "webhook_endpoint" | "receivable";
                /** @description Its id. A receivable has that of the transaction that booked it. */
                id: string;
            };
            /** @description The company. */
            companyId: string;
            /** @description Its name. */
            companyName: string;
            /** @description What to do, in words. */
            title: string;
            /** @description What people call it. Null: it has no name. */
            reference: string | null;
            /** @description Why, as a word: who opened a dispute, what is unclear about a payout. Null: the kind says it. */
            reason: string | null;
            /**
             * @description The money in question, in integer cents. Null: none.
             * @example 25000
             */
            amount: string | null;
            currency: components["schemas"]["Currency"] | null;
            /**
             * Format: date-time
             * @description Since when it waits.
             * @example 2026-01-31T09:30:00.000Z
             */
            since: string;
            /**
             * Format: int64
             * @description How long it has waited: by the company's clock, where `since` is of that clock.
             */
            ageSeconds: number;
            /**
             * Format: date-time
             * @description When it is too late, or happens by itself. Null: never.
             * @example 2026-01-31T09:30:00.000Z
             */
            dueAt: string | null;
            /** @description Its page in the console. */
            url: string;
        };
        CompanySummary: {
            /** @description Its id. */
            id: string;
            /** @description The name that buyers see. */
            name: string;
            /** @description The name in addresses. */
            slug: string;
            /**
             * Format: int64
             * @description The platform's fee, in hundredths of a per cent.
             */
            system_fee_basis_points: number;
            /**
             * Format: int64
             * @description The company's own fee, in hundredths of a per cent.
             */
            service_fee_basis_points: number;
            /**
             * Format: int64
             * @description Hours after which a covered order is released by itself. Null: never.
             */
            auto_release_hours: number | null;
            /** @description Integer cents per currency that may be paid out beyond the money that came in for the company. */
            payout_limits: {
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                USD?: string;
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                ZIG?: string;
            };
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        ServiceState: {
            /** @description Counters and gauges. */
            metrics: {
                /**
                 * @description Its name.
                 * @example oldest_withdrawal_seconds
                 */
                metric: string;
                /** @description Its label. */
                label: string | null;
                /**
                 * Format: double
                 * @description Its value.
                 */
                value: number;
            }[];
            /** @description The last audits of all companies that found nothing, latest first; `root` covers the head of every chain. */
            audits: {
                /** @description Its number. */
                seq: string;
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                at: string;
                /** @description Whether all of the ledger was checked. */
                isFull: boolean;
                /** @description The head of the chain of hashes. */
                root: string;
            }[];
            /** @description Payments and payouts that a person has to look at, latest first. */
            concerns: {
                /**
                 * @description The subject of the concern.
                 * @example LATE_MONEY
                 */
                kind: string;
                /** @description The company. */
                companyId: string;
                /** @description The subject of the concern. */
                objectId: string;
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                at: string;
            }[];
            /** @description The findings of the last sweep over all workflow runs. Null: Temporal does not answer, or no sweep has ended yet. */
            runs: {
                /**
                 * Format: date-time
                 * @description When all runs were last compared with the database.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                sweptAt: string;
                /**
                 * Format: int64
                 * @description How many rows were compared.
                 */
                rowsChecked: number;
                /**
                 * Format: int64
                 * @description How many runs were compared.
                 */
                runsChecked: number;
                /** @description What differed, and was repaired. `stuck`: the run failed at every step. */
                healed: {
                    /**
                     * Format: int64
                     * @description Runs that were missing and were started.
                     */
                    missing: number;
                    /**
                     * Format: int64
                     * @description Runs that were behind their rows.
                     */
                    behind: number;
                    /**
                     * Format: int64
                     * @description Deadlines that had passed.
                     */
                    overdue: number;
                    /**
                     * Format: int64
                     * @description Runs of what is final.
                     */
                    final: number;
                    /**
                     * Format: int64
                     * @description Runs that made no progress.
                     */
                    stuck: number;
                };
                /**
                 * Format: int64
                 * @description Open runs that a person should look at.
                 */
                needAttention: number;
            } | null;
        };
        /** @description A person who acts for a company. */
        ListedAdministrator: {
            /** @description The administrator. */
            id: string;
            /** @description The first name. */
            firstName: string;
            /** @description The last name. */
            lastName: string;
            /** @description The e-mail address. */
            email: string;
            role: components["schemas"]["Role"];
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description Whether a second factor is enabled. */
            has_mfa: boolean;
        };
        NewAdministrator: {
            /** @description The first name. */
            firstName: string;
            /** @description The last name. */
            lastName: string;
            /**
             * Format: email
             * @description The e-mail address.
             */
            email: string;
            /**
             * @description The role.
             * @enum {string}
             */
            role: "admin" | "manager";
            /** @description The password, at least 10 characters. */
            password?: string | null;
        };
        ApiKey: {
            /** @description The key, for revoking it. */
            id: string;
            /** @description A label, for people. */
            name: string;
            /** @description The first eight characters after `esc_t_` or `esc_l_`, to tell keys apart. */
            key_prefix: string;
            /** @description Whether the key works. */
            is_active: boolean;
            /** @description The role of its creator at that time. */
            role: components["schemas"]["Role"];
            /** @description Everything that the key may do. */
            permissions: components["schemas"]["Permission"][];
            /**
             * Format: date-time
             * @description Null: it works until it is revoked.
             * @example 2026-01-31T09:30:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description The end of the grace period of a rolled key: at once without one. Null: it was not rolled.
             * @example 2026-01-31T09:30:00.000Z
             */
            active_until: string | null;
            /**
             * Format: date-time
             * @description When it was revoked. Null: not.
             * @example 2026-01-31T09:30:00.000Z
             */
            revoked_at: string | null;
            /** @description Words of yours about the key. */
            note: string | null;
            /**
             * Format: date-time
             * @description To the minute. Null: never used.
             * @example 2026-01-31T09:30:00.000Z
             */
            last_used_at: string | null;
            /** @description The administrator who made the key, or made the key that it was rolled from. */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        NewApiKey: {
            /** @description Its name. */
            name: string;
            /** @description The maker's own role if absent. Never a higher one. */
            role?: ("owner" | "admin" | "manager") | null;
            /** @description All that the role permits if absent. Operations name theirs in `x-permission`. */
            permissions?: components["schemas"]["Permission"][] | null;
            /**
             * Format: date-time
             * @description When the key stops working. At most ten years ahead.
             */
            expiresAt?: string | null;
            /**
             * Format: int32
             * @description Instead of `expiresAt`.
             */
            expiresInDays?: number | null;
            /** @description Words of yours about the key. */
            note?: string | null;
        };
        RolledApiKey: {
            /** @description Its id. */
            id: string;
            /** @description The first eight characters after `esc_t_` or `esc_l_`, to tell keys apart. */
            key_prefix: string;
            /** @description The new key. Shown only in this response. */
            secret_key: string;
            /** @description What was done, in words. */
            message: string;
        };
        RollRequest: {
            /**
             * @description With a bearer token: the key to replace. A key replaces itself alone.
             * @example key_01900000-0000-7000-8000-000000000001
             */
            id?: string | null;
            /** @description A label, for people. */
            name: string;
            /**
             * Format: int32
             * @description How long the old key still works. By default not at all.
             * @default 0
             */
            graceSeconds?: number | null;
        };
        UserSummary: {
            /** @description Its id. */
            id: string;
            /** @description The phone number in E.164. Null: the person was erased. */
            mobileNumber: string | null;
            /** @description The first name. */
            firstName: string | null;
            /** @description The last name. */
            lastName: string | null;
            /**
             * Format: int64
             * @description 1: registered; 2: approved by the platform.
             */
            kycLevel: number;
            /** @description BLACKLISTED: may not take part in new escrows. */
            identityStatus: components["schemas"]["IdentityStatus"];
            /** @description What the user shares with a blacklisted person, without being blacklisted. It blocks nothing by itself. */
            blacklistMatch: {
                /**
                 * @description The value that both have.
                 * @enum {string}
                 */
                kind: "BANK_ACCOUNT";
            } | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
        };
        User: {
            /** @description Its id. */
            id: string;
            /** @description The phone number in E.164. Null: the person was erased. */
            mobileNumber: string | null;
            /** @description The first name. */
            firstName: string | null;
            /** @description The last name. */
            lastName: string | null;
            /**
             * Format: int64
             * @description 1: registered; 2: approved by the platform.
             */
            kycLevel: number;
            /** @description BLACKLISTED: may not take part in new escrows. */
            identityStatus: components["schemas"]["IdentityStatus"];
            /** @description What the user shares with a blacklisted person, without being blacklisted. It blocks nothing by itself. */
            blacklistMatch: {
                /**
                 * @description The value that both have.
                 * @enum {string}
                 */
                kind: "BANK_ACCOUNT";
            } | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /** @description The national id number. Null: the person was erased. */
            idNumber: string | null;
            /** @description The e-mail address. */
            email: string | null;
            /** @description Why the platform set the status. For staff: users never see it. */
            identityStatusReason: string | null;
            /** @description The address of the identity document; a request to it needs a credential. Null: there is none. */
            documentUrl: string | null;
            /** @description Whether the last document was deleted: nothing of theirs was open for long, or they were erased. */
            isDocumentDeleted: boolean;
            /** @description Any JSON object of your own, at most 16 KiB. Null: the person was erased. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description Bank deposits with this reference go to the user. */
            customReference: string | null;
            bankAccount: components["schemas"]["BankAccount"] | null;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When the person was erased. Null: not.
             * @example 2026-01-31T09:30:00.000Z
             */
            erasedAt: string | null;
        };
        UserLedger: {
            /** @description The ledger. */
            ledgerId: string;
            /** @description The user. */
            userId: string;
            /** @description The accounts. */
            accounts: components["schemas"]["Account"][];
        };
        /** @description An account of a ledger, with its balance. */
        Account: {
            /** @description Its id. */
            id: string;
            /** @description The ledger. */
            ledgerId: string;
            /** @description What the account is for. Users have USER accounts. */
            type: components["schemas"]["AccountType"];
            currency: components["schemas"]["Currency"];
            /**
             * @description The total, held money included. Integer cents.
             * @example 25000
             */
            balance: string;
            /**
             * @description The part of the balance that escrows, payouts and transit deposits hold. Integer cents.
             * @example 25000
             */
            held_balance: string;
            /**
             * @description The amount that can be spent: balance less held. Integer cents.
             * @example 25000
             */
            available_balance: string;
            /** @description Whether outgoing money is refused. */
            is_frozen: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
        };
        PersonalData: {
            /**
             * Format: date-time
             * @description When it was read.
             * @example 2026-01-31T09:30:00.000Z
             */
            exportedAt: string;
            /** @description What the API answers about them. */
            user: components["schemas"]["User"];
            /** @description The person's ledger. */
            ledger: {
                [key: string]: unknown;
            };
            /** @description The default bank details of their ledger, with those before. */
            bankDetails: {
                [key: string]: unknown;
            }[];
            /** @description When their accounts were frozen and unfrozen, and why. */
            freezes: {
                [key: string]: unknown;
            }[];
            /** @description Every entry of their accounts. */
            transactions: {
                [key: string]: unknown;
            }[];
            /** @description The escrows in which they are a party. */
            escrows: {
                [key: string]: unknown;
            }[];
            /** @description What was written about their escrows, payment links, payouts and transactions: items, notes, reasons. */
            texts: {
                [key: string]: unknown;
            }[];
            /** @description What staff noted about their disputes. */
            disputeNotes: {
                [key: string]: unknown;
            }[];
            /** @description What they asked for on order pages. */
            requests: {
                [key: string]: unknown;
            }[];
            /** @description The files that they sent on order pages, without their bytes. */
            files: {
                [key: string]: unknown;
            }[];
            /** @description The links that they were to pay. */
            paymentLinks: {
                [key: string]: unknown;
            }[];
            /** @description The phones whose mobile money they used. */
            paymentPhones: string[];
            /** @description Their payouts, with the bank account of each. */
            withdrawals: {
                [key: string]: unknown;
            }[];
            /** @description The lines of the bank's files that confirm their receipts and payouts. */
            bankLines: {
                [key: string]: unknown;
            }[];
            /** @description Their registrations at the checkout. */
            registrations: {
                [key: string]: unknown;
            }[];
            /** @description Messages to them that a sandbox keeps. */
            messages: {
                [key: string]: unknown;
            }[];
            /** @description The events about them. */
            events: {
                [key: string]: unknown;
            }[];
        };
        Erased: {
            /** @description The user. */
            userId: string;
            /**
             * Format: date-time
             * @description When the person was erased, now or before.
             * @example 2026-01-31T09:30:00.000Z
             */
            erasedAt: string;
        };
        Erase: {
            /** @description Why, in words. */
            reason: string;
        };
        UserCreated: {
            /** @description Its id. */
            id: string;
            /** @description The phone number in E.164. Null: the person was erased. */
            mobileNumber: string | null;
            /** @description The first name. */
            firstName: string | null;
            /** @description The last name. */
            lastName: string | null;
            /**
             * Format: int64
             * @description 1: registered; 2: approved by the platform.
             */
            kycLevel: number;
            /** @description BLACKLISTED: may not take part in new escrows. */
            identityStatus: components["schemas"]["IdentityStatus"];
            /** @description What the user shares with a blacklisted person, without being blacklisted. It blocks nothing by itself. */
            blacklistMatch: {
                /**
                 * @description The value that both have.
                 * @enum {string}
                 */
                kind: "BANK_ACCOUNT";
            } | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /** @description The ledger. */
            ledgerId: string;
            /** @description The accounts. */
            accounts: {
                /** @description Its id. */
                id: string;
                currency: components["schemas"]["Currency"];
            }[];
        };
        NewUser: {
            /**
             * @description With + and the country code, or as it is written in the region of the company.
             * @example +263771234567
             */
            mobileNumber: string;
            /** @description The national id number. */
            idNumber: string;
            /** @description The first name. */
            firstName?: string | null;
            /** @description The last name. */
            lastName?: string | null;
            /**
             * Format: email
             * @description The e-mail address.
             */
            email?: string | null;
            /** @description Any JSON object of your own, at most 16 KiB. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Bank deposits with this reference go to the user. Unique in the company. */
            customReference?: string | null;
            bankAccount?: components["schemas"]["BankAccountRequest"] | null;
        };
        NewUserForm: {
            /**
             * @description With + and the country code, or as it is written in the region of the company.
             * @example +263771234567
             */
            mobileNumber: string;
            /** @description The national id number. */
            idNumber: string;
            /** @description The first name. */
            firstName?: string | null;
            /** @description The last name. */
            lastName?: string | null;
            /**
             * Format: email
             * @description The e-mail address.
             */
            email?: string | null;
            /** @description JSON. The fields may also be sent one by one: `name[field]`. */
            metadata?: string;
            /** @description Bank deposits with this reference go to the user. Unique in the company. */
            customReference?: string | null;
            /** @description JSON. The fields may also be sent one by one: `name[field]`. */
            bankAccount?: string;
            /**
             * Format: binary
             * @description At most 10 MiB: a JPEG, PNG, WebP, GIF, TIFF, BMP, HEIC or AVIF image, or a PDF file.
             */
            document?: string;
        };
        DocumentStored: {
            /** @description The address of the identity document; a request to it needs a credential. */
            documentUrl: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        DocumentForm: {
            /**
             * Format: binary
             * @description At most 10 MiB: a JPEG, PNG, WebP, GIF, TIFF, BMP, HEIC or AVIF image, or a PDF file.
             */
            document: string;
        };
        IdLinked: {
            /** @description The user. */
            userId: string;
            /**
             * Format: int64
             * @description 1: registered; 2: approved by the platform.
             */
            kycLevel: number;
            /** @description Always true. */
            idLinked: boolean;
        };
        LinkId: {
            /** @description The national id number. */
            idNumber: string;
            /** @description Bank deposits with this reference go to the user. */
            customReference?: string | null;
        };
        FinancialInstitution: {
            /** @description Its id. */
            id: string;
            /** @description The bank's name. */
            name: string;
            /** @description The bank's code. */
            code: string;
            /** @description The codes of its branches. */
            branchCodes: string[];
        };
        Seeded: {
            /**
             * Format: int64
             * @description How many were added.
             */
            seeded: number;
            /**
             * Format: int64
             * @description How many were there already.
             */
            skipped: number;
        };
        UserPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["UserForAdmin"][];
            /**
             * Format: int64
             * @description The number of rows on all pages.
             */
            total: number;
            /**
             * Format: int64
             * @description The number of this page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The size of a page.
             */
            limit: number;
        };
        UserForAdmin: {
            /** @description Its id. */
            id: string;
            /** @description The phone number in E.164. Null: the person was erased. */
            mobileNumber: string | null;
            /** @description The first name. */
            firstName: string | null;
            /** @description The last name. */
            lastName: string | null;
            /**
             * Format: int64
             * @description 1: registered; 2: approved by the platform.
             */
            kycLevel: number;
            /** @description BLACKLISTED: may not take part in new escrows. */
            identityStatus: components["schemas"]["IdentityStatus"];
            /** @description What the user shares with a blacklisted person, without being blacklisted. It blocks nothing by itself. */
            blacklistMatch: {
                /**
                 * @description The value that both have.
                 * @enum {string}
                 */
                kind: "BANK_ACCOUNT";
            } | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /** @description The e-mail address. */
            email: string | null;
            /** @description Why the platform set the status. For staff: users never see it. */
            identityStatusReason: string | null;
            /** @description BLACKLISTED, else APPROVED at level 2, else PENDING. */
            kycStatus: components["schemas"]["KycStatus"];
            /** @description The address of the identity document; a request to it needs a credential. Null: there is none. */
            documentUrl: string | null;
            /** @description The approved fields that have changed since. Approving or revoking empties the list. */
            changedSinceApproval: components["schemas"]["IdentityEvidence"][];
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        Approved: {
            /** @description The user. */
            userId: string;
            /**
             * Format: int64
             * @description 1: registered; 2: approved by the platform.
             */
            kycLevel: number;
            /** @description Whether the user is approved. */
            approved: boolean;
        };
        Approval: {
            /**
             * @description True approves, false revokes. True unless given.
             * @default true
             */
            approved?: boolean | null;
            /**
             * Format: date-time
             * @description The `updatedAt` of the user that was reviewed. If the user has changed since, the answer is 409 `wrong_state`.
             * @example 2026-01-31T09:30:00.000Z
             */
            reviewed?: string | null;
        };
        StatusChanged: {
            /** @description The user. */
            userId: string;
            identityStatus: components["schemas"]["IdentityStatus"];
            /** @description Why, in words. */
            reason: string | null;
        };
        StatusChange: {
            status: components["schemas"]["IdentityStatus"];
            /** @description For the staff of the platform and the company. Users never see it. */
            reason?: string | null;
            /**
             * Format: date-time
             * @description The `updatedAt` of the user that was reviewed. If the user has changed since, the answer is 409 `wrong_state`.
             * @example 2026-01-31T09:30:00.000Z
             */
            reviewed?: string | null;
        };
        Transaction: {
            /** @description Its id. */
            id: string;
            type: components["schemas"]["TransactionType"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            currency: components["schemas"]["Currency"];
            status: components["schemas"]["TransactionStatus"];
            /** @description The reference that it was made with. */
            reference: string | null;
            /** @description The escrow that it belongs to. Null: none. */
            escrowId: string | null;
            /** @description Data that the service added. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
        };
        DepositRequest: {
            /**
             * @description Whose account gets the money. Absent: the user whose `customReference` equals `userReference` or `externalReference`, else the company's COMPANY account.
             * @example usr_01900000-0000-7000-8000-000000000001
             */
            userId?: string | null;
            /**
             * Format: int64
             * @description Cents.
             */
            amount: number;
            currency: components["schemas"]["Currency"];
            /** @description The reference of the payment. Unique in the company, except where it is a user's customReference. */
            externalReference?: string | null;
            /** @description A memo of the payer. */
            userReference?: string | null;
            /**
             * @description The money is not settled yet: it counts in the balance and is held.
             * @default false
             */
            isTransit?: boolean | null;
        };
        PaymentLinkGenerated: {
            /** @description Its id. */
            id: string;
            /** @description Identifies the link to the checkout: its `paymentSlug`. */
            hash: string;
            /** @description Its address. */
            url: string;
            /**
             * Format: date-time
             * @description When it expires.
             * @example 2026-01-31T09:30:00.000Z
             */
            expiresAt: string;
            /** @description The escrow. */
            escrowId: string;
            /**
             * Format: int64
             * @description What the buyer pays: the requested amount, plus the fees where the buyer pays them.
             */
            amount: number;
            /** @description Null unless asked for. */
            orderPages: components["schemas"]["OrderPages"] | null;
            /** @description Your own reference. */
            externalReference: string | null;
            /** @description A memo of yours. */
            userReference: string | null;
            /** @description Where the checkout leads the buyer after the payment. */
            successUrl: string | null;
            /** @description Where the checkout leads a buyer who does not pay. */
            cancelUrl: string | null;
            locale: components["schemas"]["Language"] | null;
        };
        NewPaymentLink: {
            /**
             * @description The user who shall pay.
             * @example usr_01900000-0000-7000-8000-000000000001
             */
            buyerId: string;
            /**
             * @description The user who is paid. By default the company's `default_seller_id`, else the company itself.
             * @example usr_01900000-0000-7000-8000-000000000001
             */
            sellerId?: string | null;
            /**
             * Format: int64
             * @description What the buyer pays, in cents. It must be the sum of the items, or the checkout shows the difference as an adjustment.
             */
            amount: number;
            currency: components["schemas"]["Currency"];
            /** @description What is sold, for the buyer to read. */
            items: components["schemas"]["OrderItem"][];
            splitPlan?: components["schemas"]["SplitPlanRequest"] | null;
            /** @description Your own reference. */
            externalReference?: string | null;
            /** @description A memo of yours. */
            userReference?: string | null;
            /**
             * Format: uri
             * @description Where the checkout leads the buyer after the payment: https, on one of the company’s `checkout_hosts`.
             */
            successUrl?: string | null;
            /**
             * Format: uri
             * @description Where the checkout leads a buyer who does not pay: https, on one of the company’s `checkout_hosts`.
             */
            cancelUrl?: string | null;
            /** @description The language of the checkout. By default the buyer's browser chooses. */
            locale?: components["schemas"]["Language"] | null;
            /**
             * @description Who pays the fees. SELLER unless given.
             * @default SELLER
             */
            feePayer?: components["schemas"]["Party"] | null;
            /** @description Parts that are released one by one. Without them the escrow is released as a whole. */
            milestones?: components["schemas"]["NewMilestone"][] | null;
            /**
             * Format: int32
             * @description Hours after which a covered order is released by itself. By default the company's `auto_release_hours`; not allowed with milestones.
             */
            autoReleaseHours?: number | null;
            /**
             * @description Whether to make the order pages of buyer and seller. False unless given.
             * @default false
             */
            orderPages?: boolean | null;
            /**
             * Format: int32
             * @description How long the link can be paid.
             * @default 24
             */
            expiresInHours?: number | null;
        };
        OrderItem: {
            /** @description What is sold. */
            name: string;
            /** @description More words about it. */
            description?: string | null;
            /**
             * Format: int32
             * @description How many pieces.
             */
            quantity: number;
            /**
             * Format: int64
             * @description The price of one piece, in cents.
             */
            pricePerUnit: number;
        };
        NewMilestone: {
            /** @description A title, for the parties. */
            title: string;
            /** @description What it is, in words. */
            description?: string | null;
            /**
             * Format: double
             * @description The milestone's part of the whole, with at most two decimals. All together are 100.
             */
            percentage: number;
        };
        PaymentLinkDetails: {
            /** @description Identifies the link to the checkout: its `paymentSlug`. */
            hash: string;
            status: components["schemas"]["PaymentLinkStatus"];
            escrowStatus: components["schemas"]["EscrowStatus"];
            /**
             * Format: int64
             * @description What the buyer pays, in cents.
             */
            amount: number;
            currency: components["schemas"]["Currency"];
            /**
             * Format: date-time
             * @description When it expires.
             * @example 2026-01-31T09:30:00.000Z
             */
            expiresAt: string;
            /** @description The merchant. */
            companyName: string;
            /** @description A memo of yours. */
            userReference: string | null;
            /** @description The buyer. */
            buyer: {
                /** @description Its id. */
                id: string;
                /** @description Its name. */
                name: string | null;
            };
            /** @description The items. */
            items: components["schemas"]["Item"][];
        };
        PaymentLinkSummary: {
            /** @description Its id. */
            id: string;
            /** @description Identifies the link to the checkout: its `paymentSlug`. */
            hash: string;
            /** @description Its address. */
            url: string;
            status: components["schemas"]["PaymentLinkStatus"];
            /** @description The escrow. */
            escrowId: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            currency: components["schemas"]["Currency"];
            /** @description Your own reference. */
            externalReference: string | null;
            /** @description A memo of yours. */
            userReference: string | null;
            /** @description Where the checkout leads the buyer after the payment. */
            successUrl: string | null;
            /** @description Where the checkout leads a buyer who does not pay. */
            cancelUrl: string | null;
            locale: components["schemas"]["Language"] | null;
            /** @description The buyer. */
            buyer: {
                /** @description The user. */
                id: string;
                /** @description First and last name. */
                name: string | null;
            };
            /**
             * Format: date-time
             * @description When it expires.
             * @example 2026-01-31T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
        };
        PaymentLink: {
            /** @description Its id. */
            id: string;
            /** @description Identifies the link to the checkout: its `paymentSlug`. */
            hash: string;
            /** @description Its address. */
            url: string;
            status: components["schemas"]["PaymentLinkStatus"];
            /** @description The escrow. */
            escrowId: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            currency: components["schemas"]["Currency"];
            /** @description Your own reference. */
            externalReference: string | null;
            /** @description A memo of yours. */
            userReference: string | null;
            /** @description Where the checkout leads the buyer after the payment. */
            successUrl: string | null;
            /** @description Where the checkout leads a buyer who does not pay. */
            cancelUrl: string | null;
            locale: components["schemas"]["Language"] | null;
            /** @description The buyer. */
            buyer: {
                /** @description The user. */
                id: string;
                /** @description First and last name. */
                name: string | null;
            };
            /**
             * Format: date-time
             * @description When it expires.
             * @example 2026-01-31T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /** @description The state of its escrow. */
            escrowStatus: string;
            /** @description The buyer. */
            buyerId: string;
            /** @description The transaction. */
            transactionId: string | null;
            /** @description The payments that the buyer tried, oldest first. */
            attempts: components["schemas"]["PaymentAttempt"][];
            /** @description What happened to it, oldest first. */
            timeline: components["schemas"]["PaymentLinkTimelineEntry"][];
        };
        PaymentAttempt: {
            /** @description Its id. */
            id: string;
            kind: components["schemas"]["PaymentKind"];
            /**
             * @description open: at the card form; pending: the answer is not known yet.
             * @enum {string}
             */
            status: "open" | "pending" | "succeeded" | "declined" | "lapsed";
            /** @description Whether the money is refunded to its origin. */
            refund: ("due" | "done" | "refused") | null;
            /**
             * @description The part of the payment that was charged back, refunded at the gateway or reversed.
             * @example 25000
             */
            takenBackAmount: string;
            /**
             * Format: date-time
             * @description When the buyer began to pay.
             * @example 2026-01-31T09:30:00.000Z
             */
            startedAt: string;
            /** @description The deposit that booked the money. */
            transactionId: string | null;
            /**
             * Format: date-time
             * @description When the gateway is asked next. Null: not again.
             * @example 2026-01-31T09:30:00.000Z
             */
            nextCheckAt: string | null;
            /**
             * Format: int64
             * @description Each dependency.
             */
            checks: number;
            /** @description The gateway or operator that took it. */
            provider: string | null;
            /** @description The card gateway's id of the checkout. */
            checkoutId: string | null;
            /** @description The reference of the attempt at the card gateway. */
            merchantReference: string;
        };
        PaymentLinkTimelineEntry: {
            /** @description What happened. */
            event: string;
            /**
             * @description Who acts.
             * @enum {string}
             */
            actor: "COMPANY" | "BUYER" | "SYSTEM";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description The status of the link after the event. */
            status: components["schemas"]["PaymentLinkStatus"];
            /** @description What belongs to the event. */
            details: {
                /** @description The payment. */
                attemptId: string | null;
                /** @description The transaction. */
                transactionId: string | null;
            };
        };
        OtpSent: {
            /** @description Always true, whether or not the number is known. */
            sent: boolean;
            /**
             * Format: int64
             * @description For how many seconds the code works.
             */
            expiresIn: number;
        };
        OtpRequest: {
            /**
             * @description With + and the country code, or as it is written in the region of the company.
             * @example +263771234567
             */
            messagingNumber: string;
            /** @description The link that the code pays. Without it, one of the number's three newest PENDING links, which the message names: the first that is paid with the right code. Better send it: requests without it are limited together with those of everybody else who knows the number. */
            paymentSlug?: string | null;
        };
        CheckoutUserRegistered: {
            /** @description The user. */
            userId: string;
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "REGISTERED";
        };
        CheckoutUser: {
            /**
             * @description With + and the country code, or as it is written in the region of the company.
             * @example +263771234567
             */
            mobileNumber: string;
            /** @description The national id number. */
            idNumber: string;
            /** @description The first name. */
            firstName?: string | null;
            /** @description The last name. */
            lastName?: string | null;
            /** @description The link's hash. */
            paymentSlug?: string | null;
        };
        PaymentAccepted: {
            /**
             * @description DECLINED: the link is open for another try.
             * @enum {string}
             */
            status: "ACCEPTED" | "PROCESSING" | "DECLINED";
            /** @description The escrow. */
            escrowId: string;
            /** @description The transaction. */
            transactionId: string | null;
            /** @description The current status of the link. */
            linkStatus: components["schemas"]["PaymentLinkStatus"];
            /** @description Who has the money: the escrow, or the balance of the buyer where the link could not take it, or where it came from after the escrow was cancelled. */
            creditedTo: ("ESCROW" | "BALANCE" | "SOURCE_PENDING" | "SOURCE") | null;
        };
        AcceptPayment: {
            /** @description The link's hash. */
            paymentSlug: string;
            /**
             * @description With + and the country code, or as it is written in the region of the company.
             * @example +263771234567
             */
            phoneNumber?: string | null;
            /**
             * @description With + and the country code, or as it is written in the region of the company.
             * @example +263771234567
             */
            messagingNumber?: string | null;
            /** @description The one-time password of the message. Needed to pay from the balance. */
            otp?: string | null;
        };
        RejectPayment: {
            /** @description The link's hash. */
            paymentSlug: string;
        };
        CheckoutOpened: {
            /** @description The gateway's id of the checkout. */
            checkoutId: string;
            /** @description The script of the card form. */
            scriptUrl: string;
            /** @description The hash of the script, for its `integrity`. */
            integrity: string;
        };
        InitiateCheckout: {
            /** @description The link's hash. */
            paymentSlug: string;
        };
        CheckoutVerified: {
            /**
             * @description DECLINED: the link is open for another try.
             * @enum {string}
             */
            status: "ACCEPTED" | "PROCESSING" | "DECLINED";
            /** @description The transaction. */
            transactionId: string | null;
            /** @description The current status of the link. */
            linkStatus: components["schemas"]["PaymentLinkStatus"];
            /** @description Who has the money: the escrow, or the balance of the buyer where the link could not take it, or where it came from after the escrow was cancelled. */
            creditedTo: ("ESCROW" | "BALANCE" | "SOURCE_PENDING" | "SOURCE") | null;
        };
        VerifyCheckout: {
            /** @description The path that the card form returned, unchanged. */
            resourcePath: string;
        };
        LedgerOverview: {
            ledger: components["schemas"]["LedgerSummary"];
            /** @description The accounts. */
            accounts: components["schemas"]["Account"][];
            /** @description The sums, for each currency. */
            totals: {
                currency: components["schemas"]["Currency"];
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                balance: string;
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                held_balance: string;
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                available_balance: string;
            }[];
        };
        /** @description The ledger of a user or of the company. */
        LedgerSummary: {
            /** @description Its id. */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description Whose ledger it is. Null: the company's. */
            user: {
                /** @description The user. */
                id: string;
                /** @description The first name. */
                first_name: string | null;
                /** @description The last name. */
                last_name: string | null;
            } | null;
        };
        EscrowHistoryEntry: {
            /** @description Its id. */
            id: string;
            status: components["schemas"]["TransactionStatus"];
            /**
             * @description What the transaction does.
             * @enum {string}
             */
            type: "ESCROW_HOLD" | "PAYMENT" | "REFUND";
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            currency: components["schemas"]["Currency"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            company_revenue: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            system_revenue: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            total_amount: string;
            /** @description The escrow. */
            escrowId: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description The buyer. */
            buyer: {
                /** @description Its id. */
                id: string;
                /** @description The first name. */
                first_name: string | null;
            };
            /** @description The seller. */
            seller: {
                /** @description Its id. */
                id: string;
                /** @description The first name. */
                first_name: string | null;
            };
        };
        SystemStats: {
            /**
             * Format: int64
             * @description Seconds since the start.
             */
            uptimeSeconds: number;
            /** @description How many transactions were posted. */
            transactions: {
                /**
                 * Format: int64
                 * @description Ever.
                 */
                total: number;
                /**
                 * Format: int64
                 * @description In the last 24 hours.
                 */
                last24Hours: number;
                /**
                 * Format: double
                 * @description Each second, in the last minute.
                 */
                lastMinutePerSecond: number;
            };
            /** @description Of the latest 500 postings, inside the database: from the key to the entries, waits for locks included. Null before the first. */
            postingLatencyMs: {
                /**
                 * Format: double
                 * @description Half of them took at most this.
                 */
                p50: number | null;
                /**
                 * Format: double
                 * @description 95 of 100 took at most this.
                 */
                p95: number | null;
                /**
                 * Format: double
                 * @description 99 of 100 took at most this.
                 */
                p99: number | null;
            };
            /** @description How many escrows are in each state. */
            escrowsByStatus: {
                /**
                 * Format: int64
                 * @description Escrows in this state.
                 */
                PENDING?: number;
                /**
                 * Format: int64
                 * @description Escrows in this state.
                 */
                ACTIVE?: number;
                /**
                 * Format: int64
                 * @description Escrows in this state.
                 */
                DELIVERY_NOTED?: number;
                /**
                 * Format: int64
                 * @description Escrows in this state.
                 */
                GOODS_RECEIVED?: number;
                /**
                 * Format: int64
                 * @description Escrows in this state.
                 */
                DISPUTED?: number;
                /**
                 * Format: int64
                 * @description Escrows in this state.
                 */
                COMPLETED?: number;
                /**
                 * Format: int64
                 * @description Escrows in this state.
                 */
                CANCELLED?: number;
                /**
                 * Format: int64
                 * @description Escrows in this state.
                 */
                RESOLVED?: number;
            };
            /**
             * Format: int64
             * @description How many accounts there are.
             */
            accounts: number;
            /**
             * Format: int64
             * @description How many users there are.
             */
            users: number;
        };
        Cashflow: {
            /**
             * @description The length of a period.
             * @enum {string}
             */
            interval: "day" | "week" | "month";
            /** @description The periods in order. Empty ones are zeros. */
            series: {
                /**
                 * @description The period's first day, in the zone that was asked for.
                 * @example 2026-01-31
                 */
                period: string;
                currency: components["schemas"]["Currency"];
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                inflow: string;
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                outflow: string;
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                net: string;
            }[];
        };
        Position: {
            /** @description The money, for each currency. */
            money: {
                currency: components["schemas"]["Currency"];
                /**
                 * @description What users and the company can spend. Integer cents.
                 * @example 25000
                 */
                available: string;
                /**
                 * @description Held for open escrows. Integer cents.
                 * @example 25000
                 */
                held: string;
                /**
                 * @description Deposits that the bank has not settled. Integer cents.
                 * @example 25000
                 */
                inTransit: string;
                /** @description Withdrawals that the bank has not decided, with their tax. */
                payouts: {
                    /**
                     * Format: int64
                     * @description The number.
                     */
                    count: number;
                    /**
                     * @description Integer cents.
                     * @example 25000
                     */
                    amount: string;
                };
            }[];
            /** @description By age since the hour of the creation; disputed ones since the hour of the dispute. Groups without any are left out. */
            openEscrows: {
                currency: components["schemas"]["Currency"];
                status: components["schemas"]["EscrowStatus"];
                /**
                 * @description The age of the escrows.
                 * @enum {string}
                 */
                age: "UP_TO_1_DAY" | "UP_TO_7_DAYS" | "UP_TO_30_DAYS" | "OLDER";
                /**
                 * Format: int64
                 * @description The number.
                 */
                count: number;
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                heldAmount: string;
            }[];
        };
        LedgerIntegrity: {
            /** @description Whether the books are right. */
            ok: boolean;
            /**
             * Format: int64
             * @description How many accounts were summed.
             */
            checkedAccounts: number;
            /**
             * Format: int64
             * @description How many transactions were summed.
             */
            checkedTransactions: number;
            /** @description What is wrong. */
            mismatches: {
                [key: string]: unknown;
            }[];
            /** @description The head of the chain of hashes. */
            chainHead: string | null;
            /**
             * Format: int64
             * @description Transactions that no seal covers yet.
             */
            unsealedTransactions: number;
            /**
             * Format: int64
             * @description Escrows, links and withdrawals that a later version changed: not audited.
             */
            unauditedEntities: number;
            /**
             * Format: int64
             * @description How long it took, in milliseconds.
             */
            durationMs: number;
        };
        TrialBalance: {
            /**
             * Format: date-time
             * @description The balances are those right before this instant.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /** @description By type and currency. Lines of zero are left out. */
            lines: {
                /** @description The type of the accounts. */
                type: components["schemas"]["AccountType"];
                currency: components["schemas"]["Currency"];
                /**
                 * Format: int64
                 * @description How many accounts of the type have a balance.
                 */
                accounts: number;
                /**
                 * @description The sum of balances below zero, without its sign. Integer cents.
                 * @example 25000
                 */
                debit: string;
                /**
                 * @description The sum of balances above zero. Integer cents.
                 * @example 25000
                 */
                credit: string;
            }[];
            /** @description The sums by currency. */
            totals: {
                currency: components["schemas"]["Currency"];
                /**
                 * @description Equals `credit`. Integer cents.
                 * @example 25000
                 */
                debit: string;
                /**
                 * @description Equals `debit`. Integer cents.
                 * @example 25000
                 */
                credit: string;
            }[];
        };
        Liabilities: {
            /**
             * Format: date-time
             * @description The balances are those right before this instant.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /** @description A page of users with a balance. */
            data: {
                /** @description The user. */
                userId: string;
                /** @description The user's name today. */
                name: string | null;
                currency: components["schemas"]["Currency"];
                /**
                 * @description What the company owes. Integer cents.
                 * @example 25000
                 */
                balance: string;
                /**
                 * @description The part that is held. Integer cents.
                 * @example 25000
                 */
                held: string;
                /**
                 * @description The rest. Integer cents.
                 * @example 25000
                 */
                available: string;
            }[];
            /** @description The sums over all users. */
            totals: {
                currency: components["schemas"]["Currency"];
                /**
                 * @description What the company owes. Integer cents.
                 * @example 25000
                 */
                balance: string;
                /**
                 * @description The part that is held. Integer cents.
                 * @example 25000
                 */
                held: string;
                /**
                 * @description The rest. Integer cents.
                 * @example 25000
                 */
                available: string;
            }[];
            /**
             * Format: int64
             * @description How many lines there are in all.
             */
            total: number;
            /**
             * Format: int64
             * @description The size of the page.
             */
            limit: number;
            /**
             * Format: int64
             * @description How many lines are before the page.
             */
            offset: number;
        };
        Revenue: {
            /**
             * Format: date-time
             * @description The first instant.
             * @example 2026-01-31T09:30:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description The first instant after the period.
             * @example 2026-01-31T09:30:00.000Z
             */
            to: string;
            /** @description By kind, currency and rate. */
            lines: {
                /** @description A fee of escrows, or the tax of withdrawals. */
                kind: components["schemas"]["FeeKind"];
                currency: components["schemas"]["Currency"];
                /**
                 * Format: int64
                 * @description The rate. Null where a split plan set the fee.
                 */
                basis_points: number | null;
                /**
                 * Format: int64
                 * @description How often it was taken.
                 */
                count: number;
                /**
                 * @description The amount of which it was taken. Integer cents.
                 * @example 25000
                 */
                base: string;
                /**
                 * @description What was taken. Integer cents.
                 * @example 25000
                 */
                amount: string;
            }[];
            /** @description The sums by kind and currency. */
            totals: {
                /** @description A fee of escrows, or the tax of withdrawals. */
                kind: components["schemas"]["FeeKind"];
                currency: components["schemas"]["Currency"];
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                amount: string;
            }[];
        };
        Statement: {
            account: components["schemas"]["Account"];
            /**
             * Format: date-time
             * @description The first instant that is included.
             * @example 2026-01-31T09:30:00.000Z
             */
            startDate: string;
            /**
             * Format: date-time
             * @description The last instant that is included.
             * @example 2026-01-31T09:30:00.000Z
             */
            endDate: string;
            /**
             * @description The balance at the start. Integer cents.
             * @example 25000
             */
            openingBalance: string;
            /**
             * @description The balance at the end. Integer cents.
             * @example 25000
             */
            closingBalance: string;
            /**
             * @description The part of the opening balance on hold. Integer cents.
             * @example 25000
             */
            openingHeld: string;
            /**
             * @description The part of the closing balance on hold. Integer cents.
             * @example 25000
             */
            closingHeld: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            totalCredits: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            totalDebits: string;
            /** @description The lines, oldest first. */
            entries: components["schemas"]["StatementEntry"][];
        };
        StatementEntry: {
            /** @description The line. */
            id: string;
            /** @description A withdrawal's own id for its payment. */
            transactionId: string;
            /** @description What the transaction does. */
            type: components["schemas"]["TransactionType"];
            /**
             * @description DEBIT takes from the account, CREDIT adds to it.
             * @enum {string}
             */
            direction: "DEBIT" | "CREDIT";
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            balance_after: string;
            /** @description The reference of the payment. */
            reference: string | null;
            /** @description The line in words. */
            description: string;
            /** @description The escrow that it belongs to. Null: none. */
            escrowId: string | null;
            /** @description The withdrawal that was paid or returned. */
            withdrawalId: string | null;
            /** @description The withdrawal's reference at the bank: EndToEndId in pain.001 and in camt.053. */
            end_to_end_id: string | null;
            counterparty: components["schemas"]["Counterparty"] | null;
            /**
             * @description The amount of the whole transaction before fee and tax. The recipient gets gross less fee and tax. Integer cents.
             * @example 25000
             */
            gross: string | null;
            /**
             * @description The company's and the platform's fee on the whole transaction. Integer cents.
             * @example 25000
             */
            fee: string | null;
            /**
             * @description The transfer tax on the whole transaction. Integer cents.
             * @example 25000
             */
            tax: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        TransactionPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["TransactionWithEntries"][];
            /**
             * Format: int64
             * @description The number of rows on all pages.
             */
            total: number;
            /**
             * Format: int64
             * @description The size of a page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of rows before this page.
             */
            offset: number;
        };
        TransactionWithEntries: {
            /** @description Its id. */
            id: string;
            type: components["schemas"]["TransactionType"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            currency: components["schemas"]["Currency"];
            status: components["schemas"]["TransactionStatus"];
            /** @description The reference that it was made with. */
            reference: string | null;
            /** @description The escrow that it belongs to. Null: none. */
            escrowId: string | null;
            /** @description Data that the service added. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /** @description The entries. */
            entries: {
                /** @description The account. */
                accountId: string;
                /**
                 * @description DEBIT takes from the account, CREDIT adds to it.
                 * @enum {string}
                 */
                direction: "DEBIT" | "CREDIT";
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                amount: string;
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                balance_after: string;
            }[];
        };
        AccountChange: {
            /** @description Whether outgoing money is refused. */
            is_frozen: boolean;
            /** @description Why, in words. */
            reason: string;
            /**
             * Format: date-time
             * @description The time of `last_freeze` as you know it; null: none. If the account was frozen or unfrozen since, the answer is 409 `wrong_state`.
             * @example 2026-01-31T09:30:00.000Z
             */
            known_freeze_at?: string | null;
        };
        /** @description The bank details as they were set. */
        BankDetailsSet: {
            /** @description The name of the bank. */
            bank_name: string;
            /** @description The code of the branch. */
            branch_code: string;
            /** @description The number of the account at the bank. */
            account_number: string;
            /** @description The holder of the account at the bank. */
            account_name: string;
            /** @description The ledger. */
            ledgerId: string;
            sent_to_bank: components["schemas"]["SentToBankNames"];
            /**
             * Format: date-time
             * @description When the latest details were set; null: never.
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string | null;
            /**
             * Format: date-time
             * @description When the latest details take effect, or took it; null where none are set.
             * @example 2026-01-31T09:30:00.000Z
             */
            effective_at: string | null;
            /** @description The next details, which are not in effect yet; null if there are none. */
            pending: {
                /** @description The name of the bank. */
                bank_name: string;
                /** @description The code of the branch. */
                branch_code: string;
                /** @description The number of the account: all but the last four characters hidden. */
                account_number: string;
                /** @description The holder of the account at the bank. */
                account_name: string;
                /**
                 * Format: date-time
                 * @description When they take effect.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                effective_at: string;
                /**
                 * Format: date-time
                 * @description When they were set.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                changed_at: string;
                /** @description The administrator or API key that set them. */
                changed_by: string;
            } | null;
            /**
             * Format: int64
             * @description How many payments from the ledger wait, because they go to an account that was never paid before.
             */
            waiting_payments: number;
            /** @description Whether the caller may end the wait of the details or of a payment. */
            may_approve: boolean;
            /** @description The destination of a withdrawal without bank fields now; null: there is none. */
            payout_details: {
                /**
                 * @description The ledger's details, or the user's bank account.
                 * @enum {string}
                 */
                source: "LEDGER" | "USER";
                /** @description The name of the bank. */
                bank_name: string;
                /** @description The number of the account: all but the last four characters hidden. */
                account_number: string;
            } | null;
        };
        /** @description The names in payment files, in the characters that the bank takes. */
        SentToBankNames: {
            /** @description The name of the bank. */
            bank_name: string;
            /** @description The holder of the account at the bank. */
            account_name: string;
        };
        /** @description The bank account to which withdrawals go. */
        BankDetails: {
            /** @description The name of the bank. */
            bank_name: string;
            /** @description The code of the branch. */
            branch_code: string;
            /** @description The number of the account at the bank. */
            account_number: string;
            /** @description The holder of the account at the bank. */
            account_name: string;
        };
        /** @description The bank details in effect, and the next. */
        BankDetailsRead: {
            /** @description The ledger. */
            ledgerId: string;
            /** @description The name of the bank. */
            bank_name: string | null;
            /** @description The code of the branch. */
            branch_code: string | null;
            /** @description The number of the account: all but the last four characters hidden. */
            account_number: string | null;
            /** @description The holder of the account at the bank. */
            account_name: string | null;
            /**
             * Format: date-time
             * @description When the latest details were set; null: never.
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string | null;
            /**
             * Format: date-time
             * @description When the latest details take effect, or took it; null where none are set.
             * @example 2026-01-31T09:30:00.000Z
             */
            effective_at: string | null;
            /** @description The next details, which are not in effect yet; null if there are none. */
            pending: {
                /** @description The name of the bank. */
                bank_name: string;
                /** @description The code of the branch. */
                branch_code: string;
                /** @description The number of the account: all but the last four characters hidden. */
                account_number: string;
                /** @description The holder of the account at the bank. */
                account_name: string;
                /**
                 * Format: date-time
                 * @description When they take effect.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                effective_at: string;
                /**
                 * Format: date-time
                 * @description When they were set.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                changed_at: string;
                /** @description The administrator or API key that set them. */
                changed_by: string;
            } | null;
            /**
             * Format: int64
             * @description How many payments from the ledger wait, because they go to an account that was never paid before.
             */
            waiting_payments: number;
            /** @description Whether the caller may end the wait of the details or of a payment. */
            may_approve: boolean;
            /** @description The destination of a withdrawal without bank fields now; null: there is none. */
            payout_details: {
                /**
                 * @description The ledger's details, or the user's bank account.
                 * @enum {string}
                 */
                source: "LEDGER" | "USER";
                /** @description The name of the bank. */
                bank_name: string;
                /** @description The number of the account: all but the last four characters hidden. */
                account_number: string;
            } | null;
        };
        /** @description A change of the bank details. */
        BankDetailsChange: {
            /** @description The name of the bank. */
            bank_name: string;
            /** @description The code of the branch. */
            branch_code: string;
            /** @description The number of the account: all but the last four characters hidden. */
            account_number: string;
            /** @description The holder of the account at the bank. */
            account_name: string;
            /**
             * Format: date-time
             * @description When they were set.
             * @example 2026-01-31T09:30:00.000Z
             */
            changed_at: string;
            /** @description The administrator or API key that set them, or the user on an order page. */
            changed_by: string;
            /**
             * Format: date-time
             * @description When they took or take effect; null: others replaced them before.
             * @example 2026-01-31T09:30:00.000Z
             */
            effective_at: string | null;
            /** @description The administrator who ended the wait; null: nobody did. */
            approved_by: string | null;
        };
        EscrowInitiated: {
            /** @description Its id. */
            id: string;
            status: components["schemas"]["EscrowStatus"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            totalAmount: string;
            currency: components["schemas"]["Currency"];
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /** @description The items with their ids, in the order of the request. */
            items: components["schemas"]["Item"][];
            /** @description The milestones with their ids, in the order of the request. */
            milestones: components["schemas"]["MilestoneOrdered"][];
            /** @description Null unless asked for. */
            orderPages: components["schemas"]["OrderPages"] | null;
        };
        /** @description A milestone as it was ordered. */
        MilestoneOrdered: {
            /** @description Its id. */
            id: string;
            /** @description The title. */
            title: string | null;
            /** @description What it is, in words. */
            description: string | null;
            /**
             * Format: double
             * @description Its part of the whole.
             */
            percentage: number;
        };
        NewEscrow: {
            /**
             * @description The user who pays.
             * @example usr_01900000-0000-7000-8000-000000000001
             */
            buyerId: string;
            /**
             * @description The user who is paid; another person than the buyer.
             * @example usr_01900000-0000-7000-8000-000000000001
             */
            sellerId: string;
            /**
             * @description The buyer's account that pays: one of the accounts of their ledger. Its balance must cover the held amount.
             * @example acc_01900000-0000-7000-8000-000000000001
             */
            buyerAccountId: string;
            /**
             * @description The seller's account in the same currency. By default their USER account.
             * @example acc_01900000-0000-7000-8000-000000000001
             */
            sellerAccountId?: string | null;
            /** @description What is sold. Their sum is the amount of the escrow. */
            items: components["schemas"]["OrderItem"][];
            /** @description Your own reference of the order, unique among the company's escrows that are not CANCELLED. */
            externalReference: string;
            /** @description The number of your invoice, for display only. */
            externalInvoiceNumber?: string | null;
            splitPlan?: components["schemas"]["SplitPlanRequest"] | null;
            /**
             * @description Who pays the fees. SELLER unless given.
             * @default SELLER
             */
            feePayer?: components["schemas"]["Party"] | null;
            /** @description Parts that are released one by one. Without them the escrow is released as a whole. */
            milestones?: components["schemas"]["NewMilestone"][] | null;
            /**
             * Format: int32
             * @description Hours after which a covered order is released by itself. By default the company's `auto_release_hours`; not allowed with milestones.
             */
            autoReleaseHours?: number | null;
            /**
             * @description Whether to make the order pages of buyer and seller. False unless given.
             * @default false
             */
            orderPages?: boolean | null;
        };
        EscrowQuote: {
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            currency: components["schemas"]["Currency"];
            /** @description Who pays the fees. */
            feePayer: components["schemas"]["Party"];
            /**
             * @description The amount held from the buyer. Integer cents.
             * @example 25000
             */
            heldAmount: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            sellerPayout: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            systemFee: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            serviceFee: string;
            /** @description The milestones, each with its amount and shares. */
            milestones: {
                /**
                 * Format: double
                 * @description The milestone's part of the whole, with at most two decimals. All together are 100.
                 */
                percentage: number;
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                amount: string;
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                sellerPayout: string;
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                systemFee: string;
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                serviceFee: string;
            }[];
        };
        EscrowQuoteRequest: {
            /**
             * Format: int64
             * @description The sum of the items: quantity times pricePerUnit. Cents.
             */
            amount: number;
            currency: components["schemas"]["Currency"];
            /**
             * @description Who pays the fees. SELLER unless given.
             * @default SELLER
             */
            feePayer?: components["schemas"]["Party"] | null;
            splitPlan?: components["schemas"]["SplitPlanRequest"] | null;
            /** @description Parts that are released one by one. */
            milestones?: {
                /**
                 * Format: double
                 * @description The milestone's part of the whole, with at most two decimals. All together are 100.
                 */
                percentage: number;
            }[] | null;
        };
        Dispute: {
            /** @description The dispute. */
            disputeId: string;
            /** @description The escrow. */
            escrowId: string;
            /** @description Your own reference. */
            externalReference: string | null;
            openedBy: components["schemas"]["Party"];
            /**
             * Format: date-time
             * @description When the dispute was opened.
             * @example 2026-01-31T09:30:00.000Z
             */
            openedAt: string;
            /** @description Why, as its opener wrote. */
            reason: string | null;
            currency: components["schemas"]["Currency"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            heldAmount: string;
            /** @description The name of the buyer. */
            buyerName: string | null;
            /** @description The name of the seller. */
            sellerName: string | null;
            /** @description Who works on it. Null: nobody. */
            assignedTo: {
                /** @description The administrator. */
                adminId: string;
                /** @description Null for an administrator of the platform. */
                name: string | null;
                /**
                 * Format: date-time
                 * @description Since when.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                assignedAt: string;
            } | null;
        };
        DisputeDetails: {
            /** @description The dispute. */
            disputeId: string;
            /** @description The escrow. */
            escrowId: string;
            /** @description Your own reference. */
            externalReference: string | null;
            openedBy: components["schemas"]["Party"];
            /**
             * Format: date-time
             * @description When the dispute was opened.
             * @example 2026-01-31T09:30:00.000Z
             */
            openedAt: string;
            /** @description Why, as its opener wrote. */
            reason: string | null;
            currency: components["schemas"]["Currency"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            heldAmount: string;
            /** @description The name of the buyer. */
            buyerName: string | null;
            /** @description The name of the seller. */
            sellerName: string | null;
            /** @description Who works on it. Null: nobody. */
            assignedTo: {
                /** @description The administrator. */
                adminId: string;
                /** @description Null for an administrator of the platform. */
                name: string | null;
                /**
                 * Format: date-time
                 * @description Since when.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                assignedAt: string;
            } | null;
            /** @description Words for the timeline. */
            notes: components["schemas"]["DisputeNote"][];
        };
        DisputeNote: {
            /** @description The note. */
            text: string;
            /** @description Null: written with an API key. */
            adminId: string | null;
            /** @description Who wrote it. Null: an API key. */
            authorName: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
        };
        DisputeAssignment: {
            /**
             * @description Null: nobody.
             * @example adm_01900000-0000-7000-8000-000000000001
             */
            adminId: string | null;
            /**
             * @description Who has the dispute as you know it; null: nobody. If that has changed, the answer is 409 `wrong_state`.
             * @example adm_01900000-0000-7000-8000-000000000001
             */
            knownAdminId?: string | null;
        };
        NewDisputeNote: {
            /** @description The text. */
            note: string;
        };
        TimelineEntry: components["schemas"]["TimelineInitiated"] | components["schemas"]["TimelineFunded"] | components["schemas"]["TimelineDeliveryNoted"] | components["schemas"]["TimelineGoodsReceived"] | components["schemas"]["TimelineMilestoneReleased"] | components["schemas"]["TimelineFundsReleased"] | components["schemas"]["TimelineAutoReleased"] | components["schemas"]["TimelineReleaseBlocked"] | components["schemas"]["TimelineAutoReleaseExtended"] | components["schemas"]["TimelineAutoReleaseStopped"] | components["schemas"]["TimelineAutoReleaseResumed"] | components["schemas"]["TimelineNegotiationProposed"] | components["schemas"]["TimelineNegotiationAccepted"] | components["schemas"]["TimelineNegotiationRejected"] | components["schemas"]["TimelineNegotiationLapsed"] | components["schemas"]["TimelineDisputed"] | components["schemas"]["TimelineEvidenceAdded"] | components["schemas"]["TimelineResolved"] | components["schemas"]["TimelineCancelled"] | components["schemas"]["TimelineChargedBack"] | components["schemas"]["TimelineChargebackReversed"];
        TimelineInitiated: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "INITIATED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                splitPlan: components["schemas"]["FinalSplit"];
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                heldAmount: string;
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        /** @description How a decision divides the held amount. */
        FinalSplit: {
            /**
             * @description The platform's fee. Integer cents.
             * @example 25000
             */
            system_fee_cents: string;
            /**
             * @description The company's fee. Integer cents.
             * @example 25000
             */
            service_fee_cents: string;
            /**
             * @description The payout to the seller. Integer cents.
             * @example 25000
             */
            seller_payout_cents: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            buyer_refund_cents: string;
        };
        EscrowFile: {
            /** @description The file: GET /v1/escrow/{id}/files/{fileId}. */
            id: string;
            /** @description Its type, found by its content. */
            mediaType: string;
            /**
             * Format: int64
             * @description Its size.
             */
            byteCount: number;
            /** @description Of the file as it was sent, in hex. */
            sha256: string;
        };
        TimelineFunded: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "FUNDED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                heldAmount: string;
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineDeliveryNoted: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "DELIVERY_NOTED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                /** @description What was sent or received. */
                items: {
                    /** @description The item of the escrow. */
                    itemId: string;
                    /**
                     * Format: int64
                     * @description How many pieces.
                     */
                    quantity: number;
                    /**
                     * Format: int64
                     * @description The price of one piece, in cents.
                     */
                    price_per_item: number;
                }[];
                /** @description With those before, the notes and receipts do not cover the order. */
                isPartial: boolean;
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineGoodsReceived: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "GOODS_RECEIVED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                /** @description What was sent or received. */
                items: {
                    /** @description The item of the escrow. */
                    itemId: string;
                    /**
                     * Format: int64
                     * @description How many pieces.
                     */
                    quantity: number;
                    /**
                     * Format: int64
                     * @description The price of one piece, in cents.
                     */
                    price_per_item: number;
                }[];
                /** @description With those before, the notes and receipts do not cover the order. */
                isPartial: boolean;
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineMilestoneReleased: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "MILESTONE_RELEASED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                splitPlan: components["schemas"]["FinalSplit"];
                /** @description Null where nothing was held. */
                transactionId: string | null;
                /** @description The administrator. */
                adminId?: string;
                /** @description The API key. */
                apiKeyId?: string;
                /**
                 * @description Who ordered it, if not the actor.
                 * @enum {string}
                 */
                orderedBy?: "ADMIN" | "COMPANY";
                /** @description The milestone. */
                milestoneId: string;
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineFundsReleased: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "FUNDS_RELEASED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                splitPlan: components["schemas"]["FinalSplit"];
                /** @description Null where nothing was held. */
                transactionId: string | null;
                /** @description The administrator. */
                adminId?: string;
                /** @description The API key. */
                apiKeyId?: string;
                /**
                 * @description Who ordered it, if not the actor.
                 * @enum {string}
                 */
                orderedBy?: "ADMIN" | "COMPANY";
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineAutoReleased: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "AUTO_RELEASED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                splitPlan: components["schemas"]["FinalSplit"];
                /** @description Null where nothing was held. */
                transactionId: string | null;
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineReleaseBlocked: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "RELEASE_BLOCKED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                /** @description What the actor gave as the reason. */
                reason?: string;
                /**
                 * Format: date-time
                 * @description When the release is tried again.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                retryAt: string;
                /** @description What the actor wrote. */
                notes?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineAutoReleaseExtended: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "AUTO_RELEASE_EXTENDED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                /**
                 * Format: date-time
                 * @description When it is released by itself.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                autoReleaseAt: string;
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineAutoReleaseStopped: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "AUTO_RELEASE_STOPPED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                /** @description The request of the buyer. */
                requestId: string;
                /**
                 * Format: date-time
                 * @description Until when, unless the company answers before.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                until: string;
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineAutoReleaseResumed: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "AUTO_RELEASE_RESUMED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                /** @description The request of the buyer. */
                requestId: string;
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineNegotiationProposed: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "NEGOTIATION_PROPOSED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                /** @description The proposal. */
                negotiation: {
                    /** @description The proposal. */
                    negotiationId: string;
                    /** @description Null: the escrow as a whole. */
                    milestoneId: string | null;
                    proposedBy: components["schemas"]["Party"];
                    splitPlan: components["schemas"]["SplitPlan"];
                    /**
                     * @description Its state.
                     * @enum {string}
                     */
                    status: "PENDING" | "ACCEPTED" | "REJECTED" | "LAPSED";
                    /**
                     * Format: date-time
                     * @description When it expires.
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    expiresAt: string;
                };
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineNegotiationAccepted: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "NEGOTIATION_ACCEPTED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                /** @description The proposal. */
                negotiationId: string;
                /** @description What was paid at once, where the proposal ended a dispute. */
                settlement?: {
                    splitPlan: components["schemas"]["FinalSplit"];
                    /** @description Null where nothing was held. */
                    transactionId: string | null;
                };
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineNegotiationRejected: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "NEGOTIATION_REJECTED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                /** @description The proposal. */
                negotiationId: string;
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineNegotiationLapsed: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "NEGOTIATION_LAPSED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                /** @description The proposal. */
                negotiationId: string;
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineDisputed: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "DISPUTED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                /** @description The dispute. */
                disputeId: string;
                openedBy: components["schemas"]["Party"];
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineEvidenceAdded: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "EVIDENCE_ADDED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                /** @description The administrator. */
                adminId?: string;
                /** @description The API key. */
                apiKeyId?: string;
                /**
                 * @description Who ordered it, if not the actor.
                 * @enum {string}
                 */
                orderedBy?: "ADMIN" | "COMPANY";
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineResolved: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "RESOLVED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                splitPlan: components["schemas"]["FinalSplit"];
                /** @description Null where nothing was held. */
                transactionId: string | null;
                /** @description The administrator. */
                adminId?: string;
                /** @description The API key. */
                apiKeyId?: string;
                /**
                 * @description Who ordered it, if not the actor.
                 * @enum {string}
                 */
                orderedBy?: "ADMIN" | "COMPANY";
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineCancelled: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "CANCELLED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                /** @description The administrator. */
                adminId?: string;
                /** @description The API key. */
                apiKeyId?: string;
                /**
                 * @description Who ordered it, if not the actor.
                 * @enum {string}
                 */
                orderedBy?: "ADMIN" | "COMPANY";
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                refundAmount: string;
                /** @description The transaction. */
                transactionId: string | null;
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineChargedBack: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "CHARGED_BACK";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                /**
                 * @description By the bank of the payer, or at the gateway.
                 * @enum {string}
                 */
                change: "charged_back" | "refunded";
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                amount: string;
                /** @description The transaction. */
                transactionId: string;
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        TimelineChargebackReversed: {
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "CHARGEBACK_REVERSED";
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            source: components["schemas"]["Source"];
            /** @description What belongs to the event. */
            details: {
                /**
                 * @description Integer cents.
                 * @example 25000
                 */
                amount: string;
                /** @description The transaction. */
                transactionId: string;
                /** @description What the actor wrote. */
                notes?: string;
                /** @description What the actor gave as the reason. */
                reason?: string;
                /** @description The address of a document, or of a tracking page, that the actor named. */
                documentUrl?: string;
                /** @description Who carries the order. */
                carrier?: string;
                /** @description Its number at the carrier. */
                trackingNumber?: string;
                /** @description What the party sent with it on the order page. */
                files?: components["schemas"]["EscrowFile"][];
            };
        };
        /** @description An event of a later version: more are added in time. */
        TimelineOther: {
            /** @description The kind of event. */
            event: string;
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /** @description What belongs to the event. */
            details: {
                [key: string]: unknown;
            };
        };
        EscrowProgress: {
            /**
             * @description The id in Temporal
             * @example escrow/esc_0190…
             */
            workflowId: string;
            /** @description False if the escrow is final or its run was lost */
            running: boolean;
            /** @description The latest run; null if there was none */
            runId: string | null;
            /** @description The commands that the run accepts now; `fund` comes from the payment link */
            waitingFor: string[];
            /**
             * Format: date-time
             * @description The time of the next automatic event: a release, or the end of a proposal
             */
            nextDeadline: string | null;
            /**
             * Format: int64
             * @description The number of events in the run's history
             */
            historyLength: number;
        };
        /** @description What a party asked for on an order page. */
        OrderRequest: {
            /** @description The request. */
            id: string;
            /** @description The escrow. */
            escrowId: string;
            /** @description What the party asked for. */
            act: components["schemas"]["OrderAct"];
            actor: components["schemas"]["Party"];
            details: components["schemas"]["OrderRequestDetails"];
            /** @description Its state. */
            status: components["schemas"]["OrderRequestStatus"];
            /** @description Why it was refused. */
            reason: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it lapses, unless it is answered before.
             * @example 2026-01-31T09:30:00.000Z
             */
            lapsesAt: string;
        };
        /** @description What the party entered. */
        OrderRequestDetails: {
            /** @description What was sent or received. */
            items?: {
                /** @description The item of the escrow. */
                itemId: string;
                /**
                 * Format: int64
                 * @description How many pieces.
                 */
                quantity: number;
            }[];
            /** @description What the party wrote. */
            notes?: string;
            /** @description What the party gave as the reason. */
            reason?: string;
            /**
             * Format: int64
             * @description By how much the release shall be postponed.
             */
            hours?: number;
            /**
             * @description What the seller shall get. Integer cents.
             * @example 25000
             */
            proposedSellerPayoutCents?: string;
            /** @description The proposal that is answered. */
            negotiationId?: string;
            /** @description Whether the proposal is accepted. */
            accept?: boolean;
            /** @description The milestone that shall be paid. Absent: all that is held. */
            milestoneId?: string;
            /** @description Who carries the order. */
            carrier?: string;
            /** @description Its number at the carrier. */
            trackingNumber?: string;
            /** @description The address of the tracking page. */
            trackingUrl?: string;
            /** @description What the party sent with it on the order page. */
            files?: components["schemas"]["EscrowFile"][];
            /**
             * @description What shall be paid out. Integer cents.
             * @example 25000
             */
            amount?: string;
            /** @description The name of the bank. */
            bank_name?: string;
            /** @description The code of the branch. */
            branch_code?: string;
            /** @description All but the last four characters hidden. */
            account_number?: string;
            /** @description The holder of the account at the bank. */
            account_name?: string;
        };
        OrderRequestRefusal: {
            /** @description For the party, who reads it on the page. */
            reason?: string | null;
        };
        EscrowMoved: {
            status: components["schemas"]["EscrowStatus"];
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        CountedItems: {
            /** @description The items, each once. */
            items: components["schemas"]["CountedItem"][];
            /** @description Words for the timeline. */
            notes?: string | null;
        };
        CountedItem: {
            /**
             * @description The item of the escrow.
             * @example itm_01900000-0000-7000-8000-000000000001
             */
            itemId: string;
            /**
             * Format: int32
             * @description How many pieces were sent or received.
             */
            quantity: number;
            /**
             * Format: int64
             * @description The price of one piece, in cents.
             */
            price_per_item: number;
        };
        EscrowReleased: {
            status: components["schemas"]["EscrowStatus"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            sellerPayout: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            systemFee: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            serviceFee: string;
            /** @description The transaction. */
            transactionId: string | null;
        };
        Extension: {
            /**
             * @description The buyer, who may ask for more time.
             * @enum {string}
             */
            actor: "BUYER";
            /**
             * Format: int32
             * @description By how many hours the automatic release moves.
             */
            hours: number;
        };
        EscrowCancelled: {
            status: components["schemas"]["EscrowStatus"];
            /** @description The refund. Null where nothing was held. */
            refundTransactionId: string | null;
        };
        CancelRequest: {
            /**
             * @description Who cancels. ADMIN needs a role that administers the company.
             * @enum {string}
             */
            actor: "BUYER" | "SELLER" | "ADMIN";
            /** @description Why, in words. */
            reason: string;
        };
        Negotiated: {
            /** @description The proposal. */
            negotiationId: string;
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "PENDING" | "ACCEPTED" | "REJECTED";
        };
        Proposal: {
            newSplitPlan: components["schemas"]["SplitPlanRequest"];
            /** @description The side that proposes. */
            actor: components["schemas"]["Party"];
            /** @description Words for the timeline. */
            notes?: string | null;
        };
        Adjustment: {
            /** @description The side that proposes. */
            actor: components["schemas"]["Party"];
            /**
             * Format: int64
             * @description Cents.
             */
            proposedSellerPayoutCents: number;
            /** @description Why, in words. */
            reason?: string | null;
        };
        ProposalAnswer: {
            /** @description The side that answers: not the one that proposed. */
            actor: components["schemas"]["Party"];
        };
        EscrowDisputed: {
            status: components["schemas"]["EscrowStatus"];
            /** @description The dispute. */
            disputeId: string;
        };
        DisputeRequest: {
            /** @description The side that opens the dispute. */
            actor: components["schemas"]["Party"];
            /** @description Why, in words. */
            reason: string;
        };
        Evidence: {
            /**
             * @description Whose evidence it is.
             * @enum {string}
             */
            actor: "BUYER" | "SELLER" | "ADMIN";
            /** @description What the evidence shows. */
            note: string;
            /**
             * Format: uri
             * @description The address of a document that the parties may open.
             */
            documentUrl?: string | null;
        };
        EscrowResolved: {
            status: components["schemas"]["EscrowStatus"];
            finalSplit: components["schemas"]["FinalSplit"];
        };
        Resolution: {
            newSplitPlan: components["schemas"]["SplitPlanRequest"];
            /**
             * @description Who decides. With a session your own id, which the login answers as `userId`; with an API key an administrator of the key's company.
             * @example adm_01900000-0000-7000-8000-000000000001
             */
            adminId: string;
            /** @description For both parties; the timeline keeps it. */
            reason?: string | null;
        };
        WithdrawalRequested: {
            /** @description The withdrawal's transaction. */
            id: string;
            status: components["schemas"]["WithdrawalStatus"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            /**
             * @description Transfer tax, taken on top of the amount. Integer cents.
             * @example 25000
             */
            taxAmount: string;
            /** @description Your reference. */
            reference: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The bank gets the payment no earlier, because the destination is new. Null: at once.
             * @example 2026-01-31T09:30:00.000Z
             */
            not_before: string | null;
            sent_to_bank: components["schemas"]["SentToBank"];
        };
        /** @description The texts of the payment file, in the characters that the bank takes. */
        SentToBank: {
            /** @description The name of the bank. */
            bank_name: string;
            /** @description The holder of the account at the bank. */
            account_name: string;
            /** @description Your reference. */
            reference: string;
        };
        /** @description Without any of the four bank fields, the money goes to the default bank details of the account's ledger, else to the user's bank account. */
        WithdrawalRequest: {
            /**
             * @description The account that pays.
             * @example acc_01900000-0000-7000-8000-000000000001
             */
            accountId: string;
            /**
             * Format: int64
             * @description What the bank pays out, in cents. Transfer tax is taken on top.
             */
            amount: number;
            /** @description Your reference, unique among the company's withdrawals. */
            externalReference: string;
            /** @description The name of the bank. */
            bank_name?: string | null;
            /** @description The code of the branch. */
            branch_code?: string | null;
            /** @description The number of the account at the bank. */
            account_number?: string | null;
            /** @description The holder of the account at the bank. */
            account_name?: string | null;
        };
        Withdrawal: {
            /** @description The withdrawal's transaction. */
            id: string;
            status: components["schemas"]["WithdrawalStatus"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            /**
             * @description Transfer tax, taken on top of the amount. Integer cents.
             * @example 25000
             */
            taxAmount: string;
            /** @description Your reference. */
            reference: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The bank gets the payment no earlier, because the destination is new. Null: at once.
             * @example 2026-01-31T09:30:00.000Z
             */
            not_before: string | null;
            sent_to_bank: components["schemas"]["SentToBank"];
            currency: components["schemas"]["Currency"];
            /** @description The account that pays. */
            accountId: string;
            /** @description The name of the bank. */
            bank_name: string;
            /** @description The code of the branch. */
            branch_code: string;
            /** @description All but the last four characters hidden. */
            account_number: string;
            /** @description The holder of the account at the bank. */
            account_name: string;
            /** @description The bank's reason code, if it rejected or returned the payment. */
            failure_reason: string | null;
            /**
             * @description The reason as a sentence.
             * @example The account is closed.
             */
            failure_description: string | null;
            /** @description Why a person has to look at the payment. `account_frozen` and `user_blacklisted`: it was not handed to the bank; resume or cancel it. Null: nobody has to. */
            review_reason: components["schemas"]["PayoutConcern"] | null;
            /** @description Whether the bank may have the payment. It can no longer be cancelled. */
            is_handed_over: boolean;
            /** @description The payment's reference at the bank: EndToEndId in pain.001 and in camt.053. */
            end_to_end_id: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            /**
             * Format: int64
             * @description Grows with every event of the withdrawal. As `"3"` it is the `ETag`, and the value of `If-Match`.
             */
            version: number;
        };
        WithdrawalWithTimeline: {
            /** @description The withdrawal's transaction. */
            id: string;
            status: components["schemas"]["WithdrawalStatus"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            /**
             * @description Transfer tax, taken on top of the amount. Integer cents.
             * @example 25000
             */
            taxAmount: string;
            /** @description Your reference. */
            reference: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The bank gets the payment no earlier, because the destination is new. Null: at once.
             * @example 2026-01-31T09:30:00.000Z
             */
            not_before: string | null;
            sent_to_bank: components["schemas"]["SentToBank"];
            currency: components["schemas"]["Currency"];
            /** @description The account that pays. */
            accountId: string;
            /** @description The name of the bank. */
            bank_name: string;
            /** @description The code of the branch. */
            branch_code: string;
            /** @description All but the last four characters hidden. */
            account_number: string;
            /** @description The holder of the account at the bank. */
            account_name: string;
            /** @description The bank's reason code, if it rejected or returned the payment. */
            failure_reason: string | null;
            /**
             * @description The reason as a sentence.
             * @example The account is closed.
             */
            failure_description: string | null;
            /** @description Why a person has to look at the payment. `account_frozen` and `user_blacklisted`: it was not handed to the bank; resume or cancel it. Null: nobody has to. */
            review_reason: components["schemas"]["PayoutConcern"] | null;
            /** @description Whether the bank may have the payment. It can no longer be cancelled. */
            is_handed_over: boolean;
            /** @description The payment's reference at the bank: EndToEndId in pain.001 and in camt.053. */
            end_to_end_id: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            /**
             * Format: int64
             * @description Grows with every event of the withdrawal. As `"3"` it is the `ETag`, and the value of `If-Match`.
             */
            version: number;
            /** @description Whether the payment was held back and the platform froze its account: the platform alone resumes it. */
            is_held_by_platform: boolean;
            /** @description What happened to it, oldest first. */
            timeline: {
                /** @description What happened. */
                event: string;
                /** @description Who acts. */
                actor: string;
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                at: string;
                /** @description Why, as its sender wrote; null if nothing was written. */
                reason: string | null;
                source: components["schemas"]["Source"];
            }[];
        };
        WithdrawalQuote: {
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            /**
             * @description Transfer tax, taken on top of the amount. Integer cents.
             * @example 25000
             */
            taxAmount: string;
            /**
             * @description What the withdrawal takes from the account. Integer cents.
             * @example 25000
             */
            totalAmount: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            available_balance: string;
            currency: components["schemas"]["Currency"];
            /**
             * Format: date-time
             * @description The bank would get the payment no earlier, because the destination is new. Null: at once.
             * @example 2026-01-31T09:30:00.000Z
             */
            not_before: string | null;
            /** @description The names in the payment file, in the characters that the bank takes. Null if the payment has no destination. */
            sent_to_bank: components["schemas"]["SentToBankNames"] | null;
        };
        WithdrawalQuoteRequest: {
            /**
             * @description The account.
             * @example acc_01900000-0000-7000-8000-000000000001
             */
            accountId: string;
            /**
             * Format: int64
             * @description Cents.
             */
            amount: number;
            /** @description The name of the bank. */
            bank_name?: string | null;
            /** @description The code of the branch. */
            branch_code?: string | null;
            /** @description The number of the account at the bank. */
            account_number?: string | null;
            /** @description The holder of the account at the bank. */
            account_name?: string | null;
        };
        /** @description Cancels a withdrawal. */
        WithdrawalCancellation: {
            /** @description Why, for the timeline. */
            reason?: string | null;
        };
        PayoutOutcome: {
            /**
             * @description NOT_PAID: rejected, or paid and returned.
             * @enum {string}
             */
            outcome: "PAID" | "NOT_PAID";
            /**
             * @description The administrator of the platform who read the statement.
             * @example adm_01900000-0000-7000-8000-000000000001
             */
            adminId: string;
            /** @description Why, as a reason code of ISO 20022, such as AC04. */
            reason?: string | null;
            /**
             * Format: date-time
             * @description When the bank decided; now by default. Later reports of an earlier time are ignored.
             */
            saidAt?: string | null;
        };
        Capture: {
            /** @description The receipt. */
            id: string;
            /**
             * @description Its type.
             * @enum {string}
             */
            type: "BANK_CAPTURE";
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            currency: components["schemas"]["Currency"];
            /** @description The reference of the payment. */
            reference: string;
            status: components["schemas"]["TransactionStatus"];
            /** @description Where the money went. */
            matchedTo: {
                kind: components["schemas"]["CaptureMatch"];
                /** @description The deposit, the user or the suspense account. */
                id: string;
            };
            /** @description A settled deposit that may report the same money. Check it before you assign the receipt. */
            possibleDuplicateOf: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        CaptureRequest: {
            /**
             * Format: int64
             * @description Cents.
             */
            amount: number;
            currency: components["schemas"]["Currency"];
            /** @description The bank's reference. Several receipts may have the same one. */
            reference: string;
        };
        CaptureAssignment: {
            /**
             * @description The user.
             * @example usr_01900000-0000-7000-8000-000000000001
             */
            userId: string;
        };
        AddedBankStatements: {
            /** @description The id of the statement. */
            id: string;
            /** @description The IBAN, or the bank's other number of the account. */
            account: string;
            /** @description The currency of the account. */
            currency: components["schemas"]["Currency"];
            /** @description The bank's id of the statement. */
            number: string;
            /**
             * Format: date
             * @description The first day.
             * @example 2026-01-31
             */
            from: string;
            /**
             * Format: date
             * @description The day of the closing balance.
             * @example 2026-01-31
             */
            to: string;
            /**
             * @description Integer cents; negative if the account was overdrawn.
             * @example 25000
             */
            openingBalance: string;
            /**
             * @description Integer cents; negative if the account is overdrawn.
             * @example 25000
             */
            closingBalance: string;
            /**
             * Format: int64
             * @description Booked entries of the file. Pending ones count when they are booked.
             */
            entries: number;
            /**
             * Format: int64
             * @description New entries that the books confirm.
             */
            matched: number;
            /**
             * Format: int64
             * @description New entries of which a part waits for a match.
             */
            open: number;
            /**
             * Format: int64
             * @description Entries that came before, in this file or an earlier one.
             */
            duplicates: number;
            /**
             * Format: date-time
             * @description When it was stored.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description All statements of the file, in its order. The fields above are those of the first. */
            statements: components["schemas"]["BankStatement"][];
        };
        BankStatement: {
            /** @description The id of the statement. */
            id: string;
            /** @description The IBAN, or the bank's other number of the account. */
            account: string;
            /** @description The currency of the account. */
            currency: components["schemas"]["Currency"];
            /** @description The bank's id of the statement. */
            number: string;
            /**
             * Format: date
             * @description The first day.
             * @example 2026-01-31
             */
            from: string;
            /**
             * Format: date
             * @description The day of the closing balance.
             * @example 2026-01-31
             */
            to: string;
            /**
             * @description Integer cents; negative if the account was overdrawn.
             * @example 25000
             */
            openingBalance: string;
            /**
             * @description Integer cents; negative if the account is overdrawn.
             * @example 25000
             */
            closingBalance: string;
            /**
             * Format: int64
             * @description Booked entries of the file. Pending ones count when they are booked.
             */
            entries: number;
            /**
             * Format: int64
             * @description New entries that the books confirm.
             */
            matched: number;
            /**
             * Format: int64
             * @description New entries of which a part waits for a match.
             */
            open: number;
            /**
             * Format: int64
             * @description Entries that came before, in this file or an earlier one.
             */
            duplicates: number;
            /**
             * Format: date-time
             * @description When it was stored.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        BankFileForm: {
            /**
             * Format: binary
             * @description The bank's camt.053 file, at most 32 MiB.
             */
            file: string;
        };
        BankStatementWithLines: {
            /** @description The id of the statement. */
            id: string;
            /** @description The IBAN, or the bank's other number of the account. */
            account: string;
            /** @description The currency of the account. */
            currency: components["schemas"]["Currency"];
            /** @description The bank's id of the statement. */
            number: string;
            /**
             * Format: date
             * @description The first day.
             * @example 2026-01-31
             */
            from: string;
            /**
             * Format: date
             * @description The day of the closing balance.
             * @example 2026-01-31
             */
            to: string;
            /**
             * @description Integer cents; negative if the account was overdrawn.
             * @example 25000
             */
            openingBalance: string;
            /**
             * @description Integer cents; negative if the account is overdrawn.
             * @example 25000
             */
            closingBalance: string;
            /**
             * Format: int64
             * @description Booked entries of the file. Pending ones count when they are booked.
             */
            entries: number;
            /**
             * Format: int64
             * @description New entries that the books confirm.
             */
            matched: number;
            /**
             * Format: int64
             * @description New entries of which a part waits for a match.
             */
            open: number;
            /**
             * Format: int64
             * @description Entries that came before, in this file or an earlier one.
             */
            duplicates: number;
            /**
             * Format: date-time
             * @description When it was stored.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description The entries that this file brought first; of a batch, its payments. */
            lines: components["schemas"]["BankEntry"][];
        };
        BankEntry: {
            /** @description The id of the entry; of a batch, of one payment. */
            id: string;
            /** @description The statement that brought it first. */
            statementId: string;
            /** @description The account at the bank. */
            account: string;
            /** @description The currency of the account. */
            currency: components["schemas"]["Currency"];
            /**
             * @description As in the file of the bank: a credit increases its balance.
             * @enum {string}
             */
            direction: "CREDIT" | "DEBIT";
            /**
             * @description Integer cents, without a sign.
             * @example 25000
             */
            amount: string;
            /**
             * Format: date
             * @description The booking date.
             * @example 2026-01-31
             */
            date: string;
            /**
             * Format: date
             * @description The value date.
             * @example 2026-01-31
             */
            valueDate: string | null;
            /** @description The bank's id of the entry. */
            bankReference: string | null;
            /** @description The payer's id of the payment; of a payout, the withdrawal's. */
            endToEndId: string | null;
            /** @description What the payer wrote. */
            reference: string | null;
            /** @description Whether it takes an earlier entry back. */
            isReversal: boolean;
            /**
             * @description Whether the books have it.
             * @enum {string}
             */
            status: "OPEN" | "MATCHED";
            /** @description Null while it is open. */
            match: {
                /**
                 * @description The kind of booking that the entry was matched with.
                 * @enum {string}
                 */
                kind: "CAPTURE" | "PAYOUT" | "REVERSAL" | "INTERCOMPANY" | "CARD_SETTLEMENT" | "MOBILE_SETTLEMENT" | "FEE";
                /** @description The capture, the withdrawal, or the transaction that the match posted. */
                id: string;
                /**
                 * Format: date-time
                 * @description When it was matched.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                at: string;
            } | null;
        };
        BankMatchRequest: {
            /**
             * @description CARD_SETTLEMENT and MOBILE_SETTLEMENT move the amount from the clearing account to BANK; a difference stays there. FEE is a cost of the company.
             * @enum {string}
             */
            kind: "CAPTURE" | "PAYOUT" | "CARD_SETTLEMENT" | "MOBILE_SETTLEMENT" | "FEE";
            /**
             * @description The capture or the withdrawal. Only with CAPTURE and PAYOUT.
             * @example txn_01900000-0000-7000-8000-000000000001
             */
            id?: string | null;
        };
        BankReconciliation: {
            /**
             * Format: date-time
             * @description The instant.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /** @description A line for each currency. */
            accounts: {
                /** @description Null: no statement yet. Several accounts stand in one line. */
                account: string | null;
                /** @description The currency of the accounts. */
                currency: components["schemas"]["Currency"];
                /**
                 * @description Integer cents, of the latest statement that ends before the instant.
                 * @example 25000
                 */
                bankBalance: string;
                /**
                 * @description Integer cents, of BANK with the sign of the bank.
                 * @example 25000
                 */
                bookBalance: string;
                /**
                 * @description Integer cents, bankBalance less bookBalance: the sum of the open items.
                 * @example 25000
                 */
                difference: string;
            }[];
            /** @description A page of the open items, oldest first. */
            open: {
                /**
                 * @description The side that has the item.
                 * @enum {string}
                 */
                side: "BANK" | "BOOKS";
                /** @description ENTRY, REVERSAL or BALANCE (from before the first statement, or of a missing one) at the bank; CAPTURE, PAYOUT, REVERSAL, INTERCOMPANY, a settlement, FEE or OTHER in the books. */
                kind: string;
                /** @description The entry or the statement of the bank, or the capture, withdrawal or transaction. */
                id: string;
                /**
                 * @description As in the file of the bank: a credit increases its balance.
                 * @enum {string}
                 */
                direction: "CREDIT" | "DEBIT";
                /** @description The reference that people know it by. */
                reference: string | null;
                /**
                 * @description Integer cents, without a sign.
                 * @example 25000
                 */
                amount: string;
                /** @description The currency of the amount. */
                currency: components["schemas"]["Currency"];
                /**
                 * Format: date
                 * @description When it was booked.
                 * @example 2026-01-31
                 */
                date: string;
                /**
                 * Format: int64
                 * @description Full days until the instant.
                 */
                ageDays: number;
            }[];
            /** @description All open items, whatever the page. */
            totals: {
                /** @description The currency of the items. */
                currency: components["schemas"]["Currency"];
                /**
                 * @description The side that has the items.
                 * @enum {string}
                 */
                side: "BANK" | "BOOKS";
                /**
                 * Format: int64
                 * @description How many there are.
                 */
                count: number;
                /**
                 * @description Integer cents, credits less debits.
                 * @example 25000
                 */
                amount: string;
            }[];
            /**
             * Format: int64
             * @description The number of all open items.
             */
            total: number;
            /**
             * Format: int64
             * @description The most items of this page.
             */
            limit: number;
            /**
             * Format: int64
             * @description How many items come before this page.
             */
            offset: number;
            /** @description What the gateway, mobile money and declared deposits reported, and the bank does not have yet. */
            clearing: {
                /** @description The clearing account. */
                type: string;
                /** @description The currency of the account. */
                currency: components["schemas"]["Currency"];
                /**
                 * @description Integer cents that are expected; negative if more arrived.
                 * @example 25000
                 */
                balance: string;
            }[];
        };
        Reversal: {
            /** @description Its id. */
            id: string;
            type: components["schemas"]["TransactionType"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            currency: components["schemas"]["Currency"];
            status: components["schemas"]["TransactionStatus"];
            /** @description The reference that it was made with. */
            reference: string | null;
            /** @description The escrow that it belongs to. Null: none. */
            escrowId: string | null;
            /** @description Data that the service added. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /** @description The deposit that was reversed. */
            reverses: {
                /** @description Its id. */
                id: string;
                status: components["schemas"]["TransactionStatus"];
            };
        };
        ReversalRequest: {
            /** @description Why, in words. */
            reason: string;
            /**
             * @description The payer's bank has taken the money back already.
             * @default false
             */
            isChargeback?: boolean | null;
        };
        Receivable: {
            /** @description The transaction that booked it. */
            id: string;
            /** @description Why it arose. */
            reason: components["schemas"]["ReceivableReason"];
            status: components["schemas"]["ReceivableStatus"];
            /** @description The account that owes it. */
            accountId: string;
            /** @description Who owes it. Null: not a user. */
            userId: string | null;
            currency: components["schemas"]["Currency"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            remaining_amount: string;
            /**
             * @description Settled by the account that owed it. Integer cents.
             * @example 25000
             */
            collected_amount: string;
            /**
             * @description Settled by the company's own money. Integer cents.
             * @example 25000
             */
            written_off_amount: string;
            /** @description The deposit that was taken back. Null: none. */
            depositId: string | null;
            /** @description The escrow that it belongs to. Null: none. */
            escrowId: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        ReceivableSettlement: {
            /** @description BALANCE: the account that owes it pays. WRITE_OFF: the COMPANY account pays. */
            source: components["schemas"]["SettlementSource"];
            /**
             * Format: int64
             * @description Without it: all that is owed, or for BALANCE as much of it as the account has.
             */
            amount?: number | null;
            /** @description Why, in words. */
            reason: string;
        };
        ConfigsSeeded: {
            /** @description What was done, in words. */
            message: string;
            /**
             * Format: int64
             * @description How many were added.
             */
            seeded: number;
            /**
             * Format: int64
             * @description How many were there already.
             */
            skipped: number;
        };
        FeeConfigs: {
            /**
             * Format: int64
             * @description The platform's fee on the company's escrows.
             */
            system_fee_basis_points: number;
            /**
             * Format: int64
             * @description The company's own fee.
             */
            service_fee_basis_points: number;
            /** @description The rates in force. */
            configs: {
                kind: components["schemas"]["FeeKind"];
                currency: components["schemas"]["Currency"];
                /**
                 * Format: int64
                 * @description The rate, in hundredths of a per cent.
                 */
                basis_points: number;
                /**
                 * Format: date-time
                 * @description Since when it has applied.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                effective_from: string;
            }[];
        };
        IntercompanyDebtPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["IntercompanyDebt"][];
            /**
             * Format: int64
             * @description The number of rows on all pages.
             */
            total: number;
            /**
             * Format: int64
             * @description The number of this page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The size of a page.
             */
            limit: number;
        };
        IntercompanyDebt: {
            /** @description The company. */
            companyId: string;
            /** @description Its name. */
            name: string;
            currency: components["schemas"]["Currency"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            owed_amount: string;
            /**
             * @description What the company may pay out after it has paid its debt; negative if it lacks cash. Integer cents.
             * @example 25000
             */
            payable_amount: string;
        };
        IntercompanySettlement: {
            /** @description The transaction in the company's books. */
            id: string;
            /** @description The transaction in the platform's books. */
            receiptId: string;
            /** @description The company. */
            companyId: string;
            currency: components["schemas"]["Currency"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            /**
             * @description What the company still owes. Integer cents.
             * @example 25000
             */
            remaining_amount: string;
            /** @description The reference of the payment. */
            reference: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        IntercompanySettlementRequest: {
            currency: components["schemas"]["Currency"];
            /**
             * Format: int64
             * @description Without it: all that is owed.
             */
            amount?: number | null;
            /** @description Unique among the settlements of the company, so that each happens once. */
            reference: string;
        };
        Clock: {
            /**
             * Format: date-time
             * @description The company's time, which escrows, links, withdrawals, proposals and codes use.
             * @example 2026-01-31T09:30:00.000Z
             */
            now: string;
            /**
             * Format: date-time
             * @description Real time, which ledger, audit log, events, keys and request limits use.
             * @example 2026-01-31T09:30:00.000Z
             */
            realNow: string;
            /**
             * Format: int64
             * @description By how many hours the company's time is ahead.
             * @example 72
             */
            hoursAhead: number;
        };
        AdvancedClock: {
            /**
             * Format: date-time
             * @description The company's time, which escrows, links, withdrawals, proposals and codes use.
             * @example 2026-01-31T09:30:00.000Z
             */
            now: string;
            /**
             * Format: date-time
             * @description Real time, which ledger, audit log, events, keys and request limits use.
             * @example 2026-01-31T09:30:00.000Z
             */
            realNow: string;
            /**
             * Format: int64
             * @description By how many hours the company's time is ahead.
             * @example 72
             */
            hoursAhead: number;
            /**
             * Format: int64
             * @description The number of workflow runs that were told the new time.
             */
            wokenRuns: number;
        };
        ClockAdvance: {
            /**
             * Format: int32
             * @description How far time moves forward.
             */
            advanceHours: number;
        };
        SandboxMessages: {
            /** @description The messages. */
            messages: {
                /**
                 * @description The number.
                 * @example +263771234567
                 */
                to: string;
                /**
                 * @description The one-time password.
                 * @example 123456
                 */
                code: string;
                /** @description The merchant that the message names. */
                merchant: string;
                /**
                 * @description The amount that the message names.
                 * @example USD 250.00
                 */
                amount: string;
                /**
                 * Format: date-time
                 * @description When it was sent.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                sentAt: string;
            }[];
        };
        Event: {
            /**
             * @description The event. Every repetition has the same one.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            type: components["schemas"]["EventType"];
            /** @description The form of the event. Fields and types are only ever added. */
            apiVersion: string;
            /**
             * Format: date-time
             * @description When the change was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /** @description The company. */
            companyId: string;
            /** @description What changed. */
            object: {
                kind: components["schemas"]["EventObjectKind"];
                /** @description Its id. */
                id: string;
            };
            /** @description The object after the change, without secrets, national ids, account numbers, phone numbers and the words of payers. */
            data: {
                [key: string]: unknown;
            };
            /** @description The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it. */
            requestId: string | null;
            source: components["schemas"]["Source"];
            /**
             * Format: int64
             * @description Increases from event to event, with gaps. Events of an object are in order.
             */
            position: number;
        };
        /** @description One message of the stream. A comment may stand between two messages. */
        StreamMessage: {
            /**
             * @description Its id.
             * @example evt_01900000-0000-7000-8000-000000000001
             */
            id: string;
            event: components["schemas"]["EventType"];
            /** @description The event as JSON, as in `GET /v1/events/{id}`. */
            data: string;
        };
        WebhookWithSecret: {
            /** @description Its id. */
            id: string;
            /** @description Its address. */
            url: string;
            /** @description The types of events that are sent, or `*` for all. */
            events: string[];
            /** @description What it is, in words. */
            description: string | null;
            status: components["schemas"]["WebhookStatus"];
            /** @description REQUESTED: by hand. GONE: the receiver answered 410. FAILING: it failed for three days. */
            disabledReason: components["schemas"]["WebhookDisabledReason"] | null;
            /**
             * Format: date-time
             * @description The first failure since the last success.
             * @example 2026-01-31T09:30:00.000Z
             */
            failingSince: string | null;
            /** @description The administrator or the API key that added the endpoint. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /** @description Shown only in this response. Verifies signatures by Standard Webhooks. */
            secret: string;
        };
        Webhook: {
            /** @description Its id. */
            id: string;
            /** @description Its address. */
            url: string;
            /** @description The types of events that are sent, or `*` for all. */
            events: string[];
            /** @description What it is, in words. */
            description: string | null;
            status: components["schemas"]["WebhookStatus"];
            /** @description REQUESTED: by hand. GONE: the receiver answered 410. FAILING: it failed for three days. */
            disabledReason: components["schemas"]["WebhookDisabledReason"] | null;
            /**
             * Format: date-time
             * @description The first failure since the last success.
             * @example 2026-01-31T09:30:00.000Z
             */
            failingSince: string | null;
            /** @description The administrator or the API key that added the endpoint. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
        };
        NewWebhook: {
            /**
             * Format: uri
             * @description https, on port 443 or 8443, at a public address. On a developer’s machine also http on loopback.
             * @example https://shop.example/hooks/escrow
             */
            url: string;
            /**
             * @description The types of events to send, or `*` for all.
             * @example [
             *       "*"
             *     ]
             */
            events: ("*" | "escrow.initiated" | "escrow.funded" | "escrow.delivery_noted" | "escrow.goods_received" | "escrow.milestone_released" | "escrow.released" | "escrow.auto_released" | "escrow.release_blocked" | "escrow.auto_release_extended" | "escrow.auto_release_stopped" | "escrow.auto_release_resumed" | "escrow.negotiation_proposed" | "escrow.negotiation_accepted" | "escrow.negotiation_rejected" | "escrow.negotiation_lapsed" | "escrow.disputed" | "escrow.evidence_added" | "escrow.resolved" | "escrow.cancelled" | "escrow.charged_back" | "escrow.chargeback_reversed" | "payment_link.created" | "payment_link.checkout_opened" | "payment_link.charge_started" | "payment_link.payment_declined" | "payment_link.checkout_lapsed" | "payment_link.payment_mismatched" | "payment_link.accepted" | "payment_link.late_money" | "payment_link.refunded" | "payment_link.refund_refused" | "payment_link.taken_back" | "payment_link.brought_back" | "payment_link.rejected" | "payment_link.expired" | "withdrawal.requested" | "withdrawal.submitted" | "withdrawal.review_needed" | "withdrawal.resumed" | "withdrawal.cancelled" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.returned" | "withdrawal.settled_late" | "order_request.created" | "order_request.approved" | "order_request.refused" | "order_request.lapsed" | "order_message.due" | "deposit.received" | "deposit.settled" | "deposit.failed" | "deposit.reversed" | "deposit.reinstated" | "capture.received" | "capture.assigned" | "capture.reversed" | "user.created" | "user.approved" | "user.approval_withdrawn" | "user.blacklisted" | "user.cleared" | "user.updated" | "user.erased" | "user.document_changed" | "account.frozen" | "account.unfrozen" | "bank_details.changed" | "company.updated" | "api_key.created" | "api_key.rolled" | "api_key.revoked" | "administrator.added" | "administrator.removed" | "webhook_endpoint.disabled" | "webhook_endpoint.enabled")[];
            /** @description What it is, in words. */
            description?: string | null;
        };
        WebhookChanges: {
            /**
             * Format: uri
             * @description https, on port 443 or 8443, at a public address. On a developer’s machine also http on loopback.
             * @example https://shop.example/hooks/escrow
             */
            url?: string;
            /** @description The types of events that are sent, or `*` for all. */
            events?: ("*" | "escrow.initiated" | "escrow.funded" | "escrow.delivery_noted" | "escrow.goods_received" | "escrow.milestone_released" | "escrow.released" | "escrow.auto_released" | "escrow.release_blocked" | "escrow.auto_release_extended" | "escrow.auto_release_stopped" | "escrow.auto_release_resumed" | "escrow.negotiation_proposed" | "escrow.negotiation_accepted" | "escrow.negotiation_rejected" | "escrow.negotiation_lapsed" | "escrow.disputed" | "escrow.evidence_added" | "escrow.resolved" | "escrow.cancelled" | "escrow.charged_back" | "escrow.chargeback_reversed" | "payment_link.created" | "payment_link.checkout_opened" | "payment_link.charge_started" | "payment_link.payment_declined" | "payment_link.checkout_lapsed" | "payment_link.payment_mismatched" | "payment_link.accepted" | "payment_link.late_money" | "payment_link.refunded" | "payment_link.refund_refused" | "payment_link.taken_back" | "payment_link.brought_back" | "payment_link.rejected" | "payment_link.expired" | "withdrawal.requested" | "withdrawal.submitted" | "withdrawal.review_needed" | "withdrawal.resumed" | "withdrawal.cancelled" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.returned" | "withdrawal.settled_late" | "order_request.created" | "order_request.approved" | "order_request.refused" | "order_request.lapsed" | "order_message.due" | "deposit.received" | "deposit.settled" | "deposit.failed" | "deposit.reversed" | "deposit.reinstated" | "capture.received" | "capture.assigned" | "capture.reversed" | "user.created" | "user.approved" | "user.approval_withdrawn" | "user.blacklisted" | "user.cleared" | "user.updated" | "user.erased" | "user.document_changed" | "account.frozen" | "account.unfrozen" | "bank_details.changed" | "company.updated" | "api_key.created" | "api_key.rolled" | "api_key.revoked" | "administrator.added" | "administrator.removed" | "webhook_endpoint.disabled" | "webhook_endpoint.enabled")[];
            /** @description What it is, in words. */
            description?: string | null;
            /** @description An endpoint that is enabled continues at once with the events that it missed. */
            status?: components["schemas"]["WebhookStatus"];
        };
        RotateSecret: {
            /**
             * Format: int32
             * @description The time for which the old secret also signs.
             * @default 0
             */
            graceSeconds?: number | null;
        };
        PingAnswer: {
            /** @description Whether the endpoint answered 2xx. */
            isDelivered: boolean;
            /**
             * Format: int64
             * @description How long it took, in milliseconds.
             */
            durationMs: number;
            /**
             * Format: int64
             * @description Null: no answer came, and `error` says why.
             */
            status: number | null;
            /** @description Why no answer came. */
            error: string | null;
            /** @description The first 2 KiB of the answer. */
            answer: string | null;
        };
        Replay: {
            /**
             * Format: date-time
             * @description The first instant whose events are sent again.
             */
            from: string;
            /**
             * Format: date-time
             * @description Exclusive. Absent: until now.
             */
            to?: string | null;
        };
        WebhookDelivery: {
            /** @description Its id. */
            id: string;
            /** @description The event. */
            eventId: string;
            /** @description The type of the event. */
            eventType: string;
            /** @description FAILED: given up. A retry or a replay begins it again. */
            status: components["schemas"]["DeliveryStatus"];
            /**
             * Format: date-time
             * @description When it is tried next. Null: no more.
             * @example 2026-01-31T09:30:00.000Z
             */
            nextAttemptAt: string | null;
            /** @description The newest first, at most 20. */
            attempts: {
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                at: string;
                /**
                 * Format: int64
                 * @description How long it took, in milliseconds.
                 */
                durationMs: number;
                /**
                 * Format: int64
                 * @description Null: no answer came, and `error` says why.
                 */
                status: number | null;
                /** @description Why no answer came. */
                error: string | null;
                /** @description The first 2 KiB of the answer. */
                answer: string | null;
            }[];
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
        };
        Received: {
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "OK";
        };
        /** @description The id of a checkout, plain, nested or encrypted (AES-256-GCM, as hex). It is verified with the gateway. */
        GatewayNotification: {
            /** @description The id of the checkout. */
            id?: string;
            /** @description The payment. */
            payload?: {
                /** @description The id of the checkout. */
                id?: string;
            };
            /** @description All of it, encrypted. */
            encryptedBody?: string;
        };
        /** @description A notification of the WhatsApp Cloud API. */
        MessagingNotification: {
            /** @description The kind of account. */
            object?: string;
            /** @description Incoming messages and reports of delivery. */
            entry?: {
                [key: string]: unknown;
            }[];
        };
        /**
         * @description What an account is for.
         * @enum {string}
         */
        AccountType: "USER" | "COMPANY" | "SERVICE_FEE" | "TAX" | "SUSPENSE" | "TRANSIT" | "BANK" | "CLEARING_CARD" | "CLEARING_MOBILE" | "CLEARING_DECLARED" | "RECEIVABLE" | "INTERCOMPANY" | "SYSTEM_FEE";
        /**
         * @description Who acted. SYSTEM: time, a bank or the gateway.
         * @enum {string}
         */
        Actor: "COMPANY" | "BUYER" | "SELLER" | "ADMIN" | "SYSTEM";
        /**
         * @description What a bank receipt was matched to.
         * @enum {string}
         */
        CaptureMatch: "TRANSIT_DEPOSIT" | "USER" | "SUSPENSE";
        /**
         * @description The other side of a line of a statement.
         * @enum {string}
         */
        CounterpartyKind: "USER" | "COMPANY" | "BANK_ACCOUNT" | "EXTERNAL";
        /**
         * @description The currency of an amount.
         * @enum {string}
         */
        Currency: "USD" | "ZIG";
        /**
         * @description Whether a webhook reached its endpoint.
         * @enum {string}
         */
        DeliveryStatus: "PENDING" | "DELIVERED" | "FAILED";
        /**
         * @description The state of an escrow.
         * @enum {string}
         */
        EscrowStatus: "PENDING" | "ACTIVE" | "DELIVERY_NOTED" | "GOODS_RECEIVED" | "DISPUTED" | "COMPLETED" | "CANCELLED" | "RESOLVED";
        /**
         * @description The kind of object that an event is about.
         * @enum {string}
         */
        EventObjectKind: "escrow" | "order_request" | "order_message" | "payment_link" | "withdrawal" | "deposit" | "capture" | "user" | "account" | "bank_details" | "company" | "api_key" | "administrator" | "webhook_endpoint";
        /**
         * @description The type of an event. More types are added in time: ignore those that you do not know.
         * @enum {string}
         */
        EventType: "escrow.initiated" | "escrow.funded" | "escrow.delivery_noted" | "escrow.goods_received" | "escrow.milestone_released" | "escrow.released" | "escrow.auto_released" | "escrow.release_blocked" | "escrow.auto_release_extended" | "escrow.auto_release_stopped" | "escrow.auto_release_resumed" | "escrow.negotiation_proposed" | "escrow.negotiation_accepted" | "escrow.negotiation_rejected" | "escrow.negotiation_lapsed" | "escrow.disputed" | "escrow.evidence_added" | "escrow.resolved" | "escrow.cancelled" | "escrow.charged_back" | "escrow.chargeback_reversed" | "payment_link.created" | "payment_link.checkout_opened" | "payment_link.charge_started" | "payment_link.payment_declined" | "payment_link.checkout_lapsed" | "payment_link.payment_mismatched" | "payment_link.accepted" | "payment_link.late_money" | "payment_link.refunded" | "payment_link.refund_refused" | "payment_link.taken_back" | "payment_link.brought_back" | "payment_link.rejected" | "payment_link.expired" | "withdrawal.requested" | "withdrawal.submitted" | "withdrawal.review_needed" | "withdrawal.resumed" | "withdrawal.cancelled" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.returned" | "withdrawal.settled_late" | "order_request.created" | "order_request.approved" | "order_request.refused" | "order_request.lapsed" | "order_message.due" | "deposit.received" | "deposit.settled" | "deposit.failed" | "deposit.reversed" | "deposit.reinstated" | "capture.received" | "capture.assigned" | "capture.reversed" | "user.created" | "user.approved" | "user.approval_withdrawn" | "user.blacklisted" | "user.cleared" | "user.updated" | "user.erased" | "user.document_changed" | "account.frozen" | "account.unfrozen" | "bank_details.changed" | "company.updated" | "api_key.created" | "api_key.rolled" | "api_key.revoked" | "administrator.added" | "administrator.removed" | "webhook_endpoint.disabled" | "webhook_endpoint.enabled";
        /**
         * @description The kind of a fee or tax.
         * @enum {string}
         */
        FeeKind: "TRANSFER_TAX" | "SYSTEM_FEE" | "SERVICE_FEE";
        /**
         * @description What an approval of a user was based on.
         * @enum {string}
         */
        IdentityEvidence: "ID_NUMBER" | "DOCUMENT";
        /**
         * @description Whether a user may take part in escrows.
         * @enum {string}
         */
        IdentityStatus: "CLEAR" | "BLACKLISTED";
        /**
         * @description The platform's view of a user's identity.
         * @enum {string}
         */
        KycStatus: "PENDING" | "APPROVED" | "BLACKLISTED";
        /**
         * @description A language of the checkout.
         * @enum {string}
         */
        Language: "en" | "fr" | "pt";
        /**
         * @description The state of a milestone.
         * @enum {string}
         */
        MilestoneStatus: "PENDING" | "RELEASED" | "REFUNDED";
        /**
         * @description A side of an escrow.
         * @enum {string}
         */
        Party: "BUYER" | "SELLER";
        /**
         * @description What a party may do on an order page.
         * @enum {string}
         */
        OrderAct: "confirm_receipt" | "release" | "extend" | "ask_cancel" | "dispatch" | "dispute" | "evidence" | "propose" | "answer" | "payout_details" | "payout";
        /**
         * @description off: the page does not offer it; direct: it happens at once; ask: it happens when you approve it.
         * @enum {string}
         */
        OrderActMode: "off" | "direct" | "ask";
        /**
         * @description The state of a request of a party.
         * @enum {string}
         */
        OrderRequestStatus: "PENDING" | "APPROVED" | "REFUSED" | "LAPSED";
        /**
         * @description How a buyer pays.
         * @enum {string}
         */
        PaymentKind: "card" | "mobile_money";
        /**
         * @description The state of a payment link.
         * @enum {string}
         */
        PaymentLinkStatus: "PENDING" | "PROCESSING" | "ACCEPTED" | "REJECTED" | "EXPIRED";
        /**
         * @description Why a person has to look at a payout.
         * @enum {string}
         */
        PayoutConcern: "file_refused" | "rejection_unattributed" | "cancelled" | "books_disagree" | "account_frozen" | "user_blacklisted";
        /**
         * @description What a role or a key may do.
         * @enum {string}
         */
        Permission: "read" | "operate" | "manage_company" | "recover_access" | "manage_money" | "resolve_disputes" | "platform";
        /**
         * @description Why a debt arose.
         * @enum {string}
         */
        ReceivableReason: "CHARGEBACK" | "REFUND" | "PAYOUT" | "TAX" | "FEE";
        /**
         * @description Whether a debt is open.
         * @enum {string}
         */
        ReceivableStatus: "OPEN" | "SETTLED";
        /**
         * @description The role of an administrator or a key.
         * @enum {string}
         */
        Role: "SUPER_ADMIN" | "OWNER" | "ADMIN" | "MANAGER";
        /**
         * @description Whose money settles a debt.
         * @enum {string}
         */
        SettlementSource: "BALANCE" | "WRITE_OFF";
        /**
         * @description Where an act came from. `TEMPORAL`: a signal or update that was sent past this interface. `TIMER`: a deadline. `PROVIDER`: what a gateway, operator or bank said. `SYSTEM`: the service itself.
         * @enum {string}
         */
        Source: "API" | "CONSOLE" | "CHECKOUT" | "ORDER_PAGE" | "TEMPORAL" | "TIMER" | "PROVIDER" | "SYSTEM";
        /**
         * @description The state of a transaction.
         * @enum {string}
         */
        TransactionStatus: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "REVERSED" | "CANCELLED";
        /**
         * @description What a transaction does.
         * @enum {string}
         */
        TransactionType: "DEPOSIT" | "ESCROW_HOLD" | "PAYMENT" | "REFUND" | "WITHDRAWAL" | "REVERSAL" | "BANK_CAPTURE" | "ADJUSTMENT";
        /**
         * @description Why an endpoint is disabled.
         * @enum {string}
         */
        WebhookDisabledReason: "REQUESTED" | "GONE" | "FAILING";
        /**
         * @description Whether an endpoint receives events.
         * @enum {string}
         */
        WebhookStatus: "ENABLED" | "DISABLED";
        /**
         * @description The state of a withdrawal.
         * @enum {string}
         */
        WithdrawalStatus: "PROCESSING" | "COMPLETED" | "FAILED" | "REVERSED" | "CANCELLED";
        /**
         * @description What needs a person.
         * @enum {string}
         */
        WorkKind: "DISPUTE" | "PAYOUT" | "WEBHOOK" | "SUSPENSE" | "LATE_MONEY" | "IDENTITY" | "PROPOSAL" | "CHARGEBACK" | "BANK_DETAILS" | "REQUEST";
        LogOutAnswer: {
            /** @description Always true. */
            success: boolean;
        };
        ForgetPasswordAnswer: {
            /** @description Always true. */
            sent: boolean;
        };
        ResetPasswordAnswer: {
            /** @description Always true. */
            success: boolean;
        };
        BeginSecondFactorAnswer: {
            /** @description In base32. */
            secret: string;
            /** @description For a QR code. */
            otpauthUrl: string;
        };
        ConfirmSecondFactorAnswer: {
            /** @description The second factor is required from now on. */
            enabled: boolean;
            /** @description Shown only in this response. */
            recoveryCodes: string[];
        };
        DisableSecondFactorAnswer: {
            /** @description The second factor is disabled. */
            enabled: boolean;
        };
        OpenSessionList: components["schemas"]["OpenSession"][];
        EndSessionAnswer: {
            /** @description Always true. */
            success: boolean;
            /** @description Its id. */
            id: string;
        };
        RegisterCompanyAnswer: {
            /** @description Its id. */
            id: string;
            /** @description The name that buyers see. */
            name: string;
            /** @description The name in addresses. */
            slug: string;
            /**
             * Format: int64
             * @description The platform's fee, in hundredths of a per cent.
             */
            system_fee_basis_points: number;
            /**
             * Format: int64
             * @description The company's own fee, in hundredths of a per cent.
             */
            service_fee_basis_points: number;
            /**
             * Format: int64
             * @description Hours after which a covered order is released by itself. Null: never.
             */
            auto_release_hours: number | null;
            /** @description The seller of payment links that name none. Null: the company itself. */
            default_seller_id: string | null;
            /**
             * @description The region of phone numbers without a plus.
             * @example ZW
             */
            default_phone_region: string;
            /** @description The hosts that `successUrl` and `cancelUrl` of payment links may name. */
            checkout_hosts: string[];
            /** @description The colour of the checkout's buttons. */
            brand_color: string | null;
            /** @description The public address of the logo. It changes with the image. */
            logo_url: string | null;
            /** @description The texts by which the bank's statement names their payments. */
            settlement_references: {
                /** @description The text that names settlements of the card gateway. */
                card: string | null;
                /** @description The text that names settlements of mobile money. */
                mobile: string | null;
            };
            /**
             * Format: int64
             * @description The part of a settlement that may be missing as the gateway's fee.
             */
            settlement_fee_basis_points: number;
            /** @description Shown to buyers who need help. */
            support_email: string | null;
            /** @description The terms that the checkout links to. */
            terms_url: string | null;
            /** @description The postal address, in PDF files. */
            address: string | null;
            /** @description The number at the tax office, in PDF files. */
            tax_number: string | null;
            /** @description The number in the register of companies, in PDF files. */
            registration_number: string | null;
            /**
             * @description An IANA name. Console, checkout and PDFs show times in this zone; the API answers in UTC.
             * @example Africa/Harare
             */
            time_zone: string;
            order_pages: components["schemas"]["OrderPageSettings"];
            /** @description Whether administrators need a second factor. */
            require_mfa: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            admin: components["schemas"]["Administrator"];
        };
        AuditEntryPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["AuditEntry"][];
            /**
             * Format: int64
             * @description The number of rows on all pages.
             */
            total: number;
            /**
             * Format: int64
             * @description The size of a page.
             */
            limit: number;
            /**
             * Format: int64
             * @description As in the request.
             */
            offset: number;
        };
        WorkPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Work"][];
            /**
             * Format: int64
             * @description The number of rows on all pages.
             */
            total: number;
            /**
             * Format: int64
             * @description The size of a page.
             */
            limit: number;
            /**
             * Format: int64
             * @description As in the request.
             */
            offset: number;
            /** @description The number of items of each requested kind. Kinds without items are left out. */
            counts: {
                /** @description The kind. */
                kind: components["schemas"]["WorkKind"];
                /**
                 * Format: int64
                 * @description How many.
                 */
                count: number;
            }[];
        };
        CompanySummaryPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["CompanySummary"][];
            /** @description Whether there is a next page. */
            hasMore: boolean;
        };
        ListedAdministratorList: components["schemas"]["ListedAdministrator"][];
        /** @description A person who acts for a company. */
        AddAdministratorAnswer: {
            /** @description The administrator. */
            id: string;
            /** @description The first name. */
            firstName: string;
            /** @description The last name. */
            lastName: string;
            /** @description The e-mail address. */
            email: string;
            role: components["schemas"]["Role"];
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description Shown only in this response, where none was sent. It must be changed at the first login. */
            temporaryPassword?: string;
        };
        RemoveAdministratorAnswer: {
            /** @description Always true. */
            success: boolean;
            /** @description Its id. */
            id: string;
            /** @description The keys that the administrator had made. */
            revokedApiKeys: string[];
        };
        ResetSecondFactorAnswer: {
            /** @description Always true. */
            success: boolean;
            /** @description Its id. */
            id: string;
        };
        CreateApiKeyAnswer: {
            /** @description The key, for revoking it. */
            id: string;
            /** @description A label, for people. */
            name: string;
            /** @description The first eight characters after `esc_t_` or `esc_l_`, to tell keys apart. */
            key_prefix: string;
            /** @description Whether the key works. */
            is_active: boolean;
            /** @description The role of its creator at that time. */
            role: components["schemas"]["Role"];
            /** @description Everything that the key may do. */
            permissions: components["schemas"]["Permission"][];
            /**
             * Format: date-time
             * @description Null: it works until it is revoked.
             * @example 2026-01-31T09:30:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description The end of the grace period of a rolled key: at once without one. Null: it was not rolled.
             * @example 2026-01-31T09:30:00.000Z
             */
            active_until: string | null;
            /**
             * Format: date-time
             * @description When it was revoked. Null: not.
             * @example 2026-01-31T09:30:00.000Z
             */
            revoked_at: string | null;
            /** @description Words of yours about the key. */
            note: string | null;
            /**
             * Format: date-time
             * @description To the minute. Null: never used.
             * @example 2026-01-31T09:30:00.000Z
             */
            last_used_at: string | null;
            /** @description The administrator who made the key, or made the key that it was rolled from. */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description The key. Shown only in this response. */
            key: string;
        };
        ApiKeyList: components["schemas"]["ApiKey"][];
        RevokeApiKeyAnswer: {
            /** @description Always true. */
            success: boolean;
        };
        UserSummaryList: components["schemas"]["UserSummary"][];
        FinancialInstitutionList: components["schemas"]["FinancialInstitution"][];
        CreateDepositAnswer: {
            /** @description Its id. */
            id: string;
            type: components["schemas"]["TransactionType"];
            /**
             * @description Integer cents.
             * @example 25000
             */
            amount: string;
            currency: components["schemas"]["Currency"];
            status: components["schemas"]["TransactionStatus"];
            /** @description The reference that it was made with. */
            reference: string | null;
            /** @description The escrow that it belongs to. Null: none. */
            escrowId: string | null;
            /** @description Data that the service added. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /** @description The account. */
            accountId: string;
        };
        PaymentLinkSummaryPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["PaymentLinkSummary"][];
            /**
             * Format: int64
             * @description The number of rows on all pages.
             */
            total: number;
            /**
             * Format: int64
             * @description The size of a page.
             */
            limit: number;
            /**
             * Format: int64
             * @description As in the request.
             */
            offset: number;
        };
        RejectPaymentAnswer: {
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "REJECTED";
        };
        ReceiveGatewayNotificationAnswer: {
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "OK";
        };
        EscrowHistoryEntryList: components["schemas"]["EscrowHistoryEntry"][];
        AccountList: components["schemas"]["Account"][];
        /** @description An account of a ledger, with its balance. */
        GetAccountAnswer: {
            /** @description Its id. */
            id: string;
            /** @description The ledger. */
            ledgerId: string;
            /** @description What the account is for. Users have USER accounts. */
            type: components["schemas"]["AccountType"];
            currency: components["schemas"]["Currency"];
            /**
             * @description The total, held money included. Integer cents.
             * @example 25000
             */
            balance: string;
            /**
             * @description The part of the balance that escrows, payouts and transit deposits hold. Integer cents.
             * @example 25000
             */
            held_balance: string;
            /**
             * @description The amount that can be spent: balance less held. Integer cents.
             * @example 25000
             */
            available_balance: string;
            /** @description Whether outgoing money is refused. */
            is_frozen: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            /**
             * @description Integer cents.
             * @example 25000
             */
            withdrawable_balance: string;
            ledger: components["schemas"]["LedgerSummary"];
            /** @description The latest freezing or unfreezing of the account. Null: it was never frozen. */
            last_freeze: {
                /** @description Whether outgoing money is refused. */
                is_frozen: boolean;
                /** @description Why, as the administrator wrote. */
                reason: string;
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                at: string;
                /** @description The administrator or the key that asked for it. */
                by: string;
                /** @description Whether only the platform lifts the freeze. */
                is_by_platform: boolean;
            } | null;
            /** @description The freezes that stand: the platform's and the company's latest. Lifting one lifts both. */
            freezes: {
                /** @description Why, as the administrator wrote. */
                reason: string;
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                at: string;
                /** @description The administrator or the key that asked for it. */
                by: string;
                /** @description Whether the platform asked for it. */
                is_by_platform: boolean;
            }[];
        };
        BankDetailsChangePage: {
            /** @description The rows of this page. */
            data: components["schemas"]["BankDetailsChange"][];
            /**
             * Format: int64
             * @description The number of rows on all pages.
             */
            total: number;
            /**
             * Format: int64
             * @description The size of a page.
             */
            limit: number;
            /**
             * Format: int64
             * @description As in the request.
             */
            offset: number;
        };
        DisputePage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Dispute"][];
            /**
             * Format: int64
             * @description The number of rows on all pages.
             */
            total: number;
            /**
             * Format: int64
             * @description The size of a page.
             */
            limit: number;
            /**
             * Format: int64
             * @description As in the request.
             */
            offset: number;
        };
        EscrowSummaryPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["EscrowSummary"][];
            /**
             * Format: int64
             * @description The number of rows on all pages.
             */
            total: number;
            /**
             * Format: int64
             * @description The size of a page.
             */
            limit: number;
            /**
             * Format: int64
             * @description As in the request.
             */
            offset: number;
        };
        EscrowList: components["schemas"]["Escrow"][];
        TimelineEntryList: components["schemas"]["TimelineEntry"][];
        EndOrderPagesAnswer: {
            /** @description They have ended. */
            success: boolean;
            /** @description The escrow. */
            id: string;
        };
        OrderRequestPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["OrderRequest"][];
            /**
             * Format: int64
             * @description The number of rows on all pages.
             */
            total: number;
            /**
             * Format: int64
             * @description The size of a page.
             */
            limit: number;
            /**
             * Format: int64
             * @description As in the request.
             */
            offset: number;
        };
        ExtendAutoReleaseAnswer: {
            status: components["schemas"]["EscrowStatus"];
            /**
             * Format: date-time
             * @description When it is released by itself.
             * @example 2026-01-31T09:30:00.000Z
             */
            autoReleaseAt: string;
        };
        AddDisputeEvidenceAnswer: {
            status: components["schemas"]["EscrowStatus"];
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        WithdrawalPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Withdrawal"][];
            /**
             * Format: int64
             * @description The number of rows on all pages.
             */
            total: number;
            /**
             * Format: int64
             * @description The size of a page.
             */
            limit: number;
            /**
             * Format: int64
             * @description As in the request.
             */
            offset: number;
        };
        CapturePage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Capture"][];
            /**
             * Format: int64
             * @description The number of rows on all pages.
             */
            total: number;
            /**
             * Format: int64
             * @description The size of a page.
             */
            limit: number;
            /**
             * Format: int64
             * @description As in the request.
             */
            offset: number;
        };
        BankStatementPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["BankStatement"][];
            /**
             * Format: int64
             * @description The number of rows on all pages.
             */
            total: number;
            /**
             * Format: int64
             * @description The size of a page.
             */
            limit: number;
            /**
             * Format: int64
             * @description As in the request.
             */
            offset: number;
        };
        ReceivablePage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Receivable"][];
            /**
             * Format: int64
             * @description The number of rows on all pages.
             */
            total: number;
            /**
             * Format: int64
             * @description The size of a page.
             */
            limit: number;
            /**
             * Format: int64
             * @description As in the request.
             */
            offset: number;
            /**
             * Format: date-time
             * @description The amounts are those right before this instant. Null: those of now.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string | null;
            /** @description The sums of all receivables, or of those in `currency`, without regard to page and other filters. */
            totals: {
                currency: components["schemas"]["Currency"];
                /**
                 * @description The amount that is still owed. Integer cents.
                 * @example 25000
                 */
                remaining_amount: string;
            }[];
        };
        EventPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Event"][];
            /** @description Whether there is a next page. */
            hasMore: boolean;
        };
        WebhookList: components["schemas"]["Webhook"][];
        DeleteWebhookAnswer: {
            /** @description Always true. */
            success: boolean;
        };
        ReplayEventsAnswer: {
            /** @description Whether there are events of that time. They are sent while the endpoint is enabled. */
            isReplaying: boolean;
        };
        WebhookDeliveryPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["WebhookDelivery"][];
            /**
             * Format: int64
             * @description The number of rows on all pages.
             */
            total: number;
            /**
             * Format: int64
             * @description The size of a page.
             */
            limit: number;
            /**
             * Format: int64
             * @description As in the request.
             */
            offset: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Names the request in our log and in problems; the one that was sent, where it is sane.
         * @example order-4711
         */
        "X-Request-Id": string;
        /**
         * @description How many rows the list has on all pages.
         * @example 240
         */
        "X-Total-Count": number;
        /**
         * @description The address of the next page, with `rel="next"`. Absent on the last page.
         * @example <https://escrow.example/v1/escrow?limit=20&cursor=WyItY3JlYXRlZEF0Il0>; rel="next"
         */
        Link: string;
        /**
         * @description The version of the resource, for `If-Match` of its commands.
         * @example "7"
         */
        ETag: string;
        /**
         * @description `true` where this is the stored answer to an earlier request with the same key.
         * @example true
         */
        "Idempotent-Replayed": string;
        /**
         * @description The body fields that the operation does not have, by their paths.
         * @example colour, items.0.size
         */
        "X-Ignored-Fields": string;
        /**
         * @description `handling=strict` or `handling=lenient`, where that was asked for.
         * @example handling=strict
         */
        "Preference-Applied": string;
        /**
         * @description Seconds to wait before the request is sent again.
         * @example 1
         */
        "Retry-After": number;
        /**
         * @description How many requests of this credential, or of this address, are left (`r`) in the next `t` seconds.
         * @example "credential";r=598;t=42
         */
        RateLimit: string;
        /**
         * @description How many requests (`q`) a window of `w` seconds has.
         * @example "credential";q=600;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description The scheme of credentials.
         * @example Bearer
         */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    getServing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Serving"];
                };
            };
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Credentials"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginAnswer"];
                };
            };
        };
    };
    finishLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondStep"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    refreshSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogOutAnswer"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    forgetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForgottenPassword"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForgetPasswordAnswer"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordReset"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetPasswordAnswer"];
                };
            };
        };
    };
    beginSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BeginSecondFactorAnswer"];
                };
            };
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorCode"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmSecondFactorAnswer"];
                };
            };
        };
    };
    disableSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorCode"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisableSecondFactorAnswer"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenSessionList"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndSessionAnswer"];
                };
            };
        };
    };
    registerCompany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCompany"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisterCompanyAnswer"];
                };
            };
        };
    };
    getCompany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
        };
    };
    updateCompany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanySettings"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
        };
    };
    updatePlatformFee: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the company. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyPlatformSettings"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
        };
    };
    storeLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["LogoForm"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
        };
    };
    removeLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A leading minus reverses the order: the latest or largest comes first. */
                sort?: "-createdAt" | "createdAt";
                /** @description From the `Link` header of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
                /** @description Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or more. Any other total is exact. */
                maxTotal?: number;
                /** @description Only what this administrator or API key did. */
                actorId?: string;
                /** @description The name of an operation, as in the entries. */
                operation?: string;
                /** @description A UTC day, or a date-time with Z or an offset. */
                startDate?: string;
                /** @description A UTC day (included), or a date-time with Z or an offset. */
                endDate?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
        };
    };
    listWork: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description One of DISPUTE, PAYOUT, WEBHOOK, SUSPENSE, LATE_MONEY, IDENTITY, PROPOSAL, CHARGEBACK, BANK_DETAILS, REQUEST, or several separated by commas. */
                kind?: string;
                /** @description At most so many of each kind, so that one kind does not hide the others. */
                perKind?: number;
                /** @description Each kind is counted up to this number: a count of this number means this many or more. */
                maxTotal?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkPage"];
                };
            };
        };
    };
    listCompanies: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description A part of the name or the slug. */
                search?: string;
                /** @description The last company that was read. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanySummaryPage"];
                };
            };
        };
    };
    getServiceState: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceState"];
                };
            };
        };
    };
    listAdministrators: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A leading minus reverses the order: the latest or largest comes first. */
                sort?: "-createdAt" | "createdAt";
                /** @description From the `Link` header of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
                /** @description Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or more. Any other total is exact. */
                maxTotal?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedAdministratorList"];
                };
            };
        };
    };
    addAdministrator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAdministrator"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddAdministratorAnswer"];
                };
            };
        };
    };
    removeAdministrator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the administrator. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveAdministratorAnswer"];
                };
            };
        };
    };
    resetSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the administrator. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetSecondFactorAnswer"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A leading minus reverses the order: the latest or largest comes first. */
                sort?: "-createdAt" | "createdAt";
                /** @description From the `Link` header of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
                /** @description Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or more. Any other total is exact. */
                maxTotal?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateApiKeyAnswer"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the api key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokeApiKeyAnswer"];
                };
            };
        };
    };
    rollApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolledApiKey"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A leading minus reverses the order: the latest or largest comes first. */
                sort?: "-createdAt" | "createdAt" | "-updatedAt" | "updatedAt";
                /** @description From the `Link` header of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
                /** @description Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or more. Any other total is exact. */
                maxTotal?: number;
                /** @description Words that name, mobile number, e-mail and bank reference together contain, or a whole national id number. */
                q?: string;
                /** @description With + and the country code, or as it is written in the region of the company. */
                mobileNumber?: string;
                /** @description Bank deposits with this reference go to the user. */
                customReference?: string;
                /** @description A UTC day, or a date-time with Z or an offset. */
                createdFrom?: string;
                /** @description A UTC day (included), or a date-time with Z or an offset. */
                createdTo?: string;
                /** @description A UTC day, or a date-time with Z or an offset. */
                updatedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSummaryList"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewUser"];
                "multipart/form-data": components["schemas"]["NewUserForm"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserCreated"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    getUserLedger: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserLedger"];
                };
            };
        };
    };
    exportUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The data. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonalData"];
                };
            };
        };
    };
    eraseUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Erase"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erased"];
                };
            };
        };
    };
    downloadDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, as a download. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                    "image/gif": string;
                    "image/tiff": string;
                    "image/bmp": string;
                    "image/heic": string;
                    "image/heif": string;
                    "image/avif": string;
                    "application/pdf": string;
                    "application/octet-stream": string;
                };
            };
        };
    };
    uploadDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["DocumentForm"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentStored"];
                };
            };
        };
    };
    linkIdNumber: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkId"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdLinked"];
                };
            };
        };
    };
    listFinancialInstitutions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FinancialInstitutionList"];
                };
            };
        };
    };
    seedFinancialInstitutions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Seeded"];
                };
            };
        };
    };
    listUsersForPlatform: {
        parameters: {
            query?: {
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description The most rows of a page. */
                limit?: number;
                /** @description Words that name and mobile number together contain, or a whole national id number. */
                search?: string;
                /** @description Its state. */
                status?: "PENDING" | "APPROVED" | "BLACKLISTED" | "ALL";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
        };
    };
    approveUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Approval"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approved"];
                };
            };
        };
    };
    setUserStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusChanged"];
                };
            };
        };
    };
    createDeposit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DepositRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateDepositAnswer"];
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the transaction. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    createPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPaymentLink"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkGenerated"];
                };
            };
        };
    };
    getLinkDetails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifies the link to the checkout: its `paymentSlug`. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkDetails"];
                };
            };
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A leading minus reverses the order: the latest or largest comes first. */
                sort?: "-createdAt" | "createdAt" | "-updatedAt" | "updatedAt";
                /** @description From the `Link` header of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
                /** @description Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or more. Any other total is exact. */
                maxTotal?: number;
                /** @description One of PENDING, PROCESSING, ACCEPTED, REJECTED, EXPIRED, or several separated by commas. */
                status?: string;
                /** @description Your own reference. */
                externalReference?: string;
                /** @description A UTC day, or a date-time with Z or an offset. */
                createdFrom?: string;
                /** @description A UTC day (included), or a date-time with Z or an offset. */
                createdTo?: string;
                /** @description A UTC day, or a date-time with Z or an offset. */
                updatedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkSummaryPage"];
                };
            };
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
        };
    };
    requestCheckoutOtp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OtpRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OtpSent"];
                };
            };
        };
    };
    registerCheckoutUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutUser"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutUserRegistered"];
                };
            };
        };
    };
    acceptPayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptPayment"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentAccepted"];
                };
            };
        };
    };
    rejectPayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejectPayment"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RejectPaymentAnswer"];
                };
            };
        };
    };
    initiateCardPayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InitiateCheckout"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutOpened"];
                };
            };
        };
    };
    verifyCardPayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyCheckout"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutVerified"];
                };
            };
        };
    };
    receiveGatewayNotification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GatewayNotification"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiveGatewayNotificationAnswer"];
                };
            };
        };
    };
    getLedgerOverview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the ledger. */
                ledgerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerOverview"];
                };
            };
        };
    };
    listEscrowHistory: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A UTC day, or a date-time with Z or an offset. */
                startDate?: string;
                /** @description A UTC day (included), or a date-time with Z or an offset. */
                endDate?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EscrowHistoryEntryList"];
                };
            };
        };
    };
    getSystemStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemStats"];
                };
            };
        };
    };
    getCashflow: {
        parameters: {
            query?: {
                /** @description A UTC day, or a date-time with Z or an offset. */
                startDate?: string;
                /** @description A UTC day (included), or a date-time with Z or an offset. */
                endDate?: string;
                /** @description The length of a period. By default a day. */
                interval?: "day" | "week" | "month";
                /** @description Only this currency. */
                currency?: components["schemas"]["Currency"];
                /** @description The IANA zone in whose days the periods begin. `startDate` and `endDate` stay days of UTC, or instants. */
                zone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cashflow"];
                };
            };
        };
    };
    getPosition: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Position"];
                };
            };
        };
    };
    listUserAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountList"];
                };
            };
        };
    };
    listCompanyAccounts: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountList"];
                };
            };
        };
    };
    verifyLedgerIntegrity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerIntegrity"];
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAccountAnswer"];
                };
            };
        };
    };
    setAccountFrozen: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    getTrialBalance: {
        parameters: {
            query?: {
                /** @description An instant, or a UTC day: its beginning. Not in the future. Now by default. */
                at?: string;
                /** @description Only lines and sums of this currency. */
                currency?: components["schemas"]["Currency"];
                /** @description The form of the answer: JSON, or a file. JSON by default. */
                format?: "json" | "csv" | "pdf";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrialBalance"];
                    "text/csv": string;
                    "application/pdf": string;
                };
            };
        };
    };
    getLiabilities: {
        parameters: {
            query?: {
                /** @description An instant, or a UTC day: its beginning. Not in the future. Now by default. */
                at?: string;
                /** @description Only lines and sums of this currency. */
                currency?: components["schemas"]["Currency"];
                /** @description The form of the answer: JSON, or a file. JSON by default. */
                format?: "json" | "csv" | "pdf";
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liabilities"];
                    "text/csv": string;
                    "application/pdf": string;
                };
            };
        };
    };
    getRevenue: {
        parameters: {
            query?: {
                /** @description The first instant, or a UTC day. 30 days before the end by default. */
                from?: string;
                /** @description The first instant after it, or a UTC day. Now by default. */
                to?: string;
                /** @description Only lines and sums of this currency. */
                currency?: components["schemas"]["Currency"];
                /** @description The form of the answer: JSON, or a file. JSON by default. */
                format?: "json" | "csv" | "pdf";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Revenue"];
                    "text/csv": string;
                    "application/pdf": string;
                };
            };
        };
    };
    getStatement: {
        parameters: {
            query?: {
                /** @description A UTC day, or a date-time with Z or an offset. */
                startDate?: string;
                /** @description A UTC day (included), or a date-time with Z or an offset. */
                endDate?: string;
                /** @description Only so many entries, the last of the window: `startDate` is then the instant of the first of them. Entries of that instant are all included. */
                lastEntries?: number;
                /** @description With `lastEntries`, as JSON. `window`: the totals and `startDate` are those of the whole window, or of its last 10,000 entries, as in a file. */
                totals?: "entries" | "window";
                /** @description Takes precedence over the Accept header. */
                format?: "json" | "csv" | "pdf" | "camt.053";
            };
            header?: never;
            path: {
                /** @description The id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statement"];
                    "text/csv": string;
                    "application/pdf": string;
                    "application/xml": string;
                };
            };
        };
    };
    listLedgerTransactions: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A leading minus reverses the order: the latest or largest comes first. */
                sort?: "-createdAt" | "createdAt";
                /** @description From the `Link` header of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
                /** @description Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or more. Any other total is exact. */
                maxTotal?: number;
                /** @description Only those of this type. */
                type?: components["schemas"]["TransactionType"];
                /** @description Only those in this state. */
                status?: components["schemas"]["TransactionStatus"];
                /** @description A UTC day, or a date-time with Z or an offset. */
                startDate?: string;
                /** @description A UTC day (included), or a date-time with Z or an offset. */
                endDate?: string;
            };
            header?: never;
            path: {
                /** @description The id of the ledger. */
                ledgerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionPage"];
                };
            };
        };
    };
    getBankDetails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the ledger. */
                ledgerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankDetailsRead"];
                };
            };
        };
    };
    setBankDetails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the ledger. */
                ledgerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BankDetails"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankDetailsSet"];
                };
            };
        };
    };
    listBankDetails: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A leading minus reverses the order: the latest or largest comes first. */
                sort?: "-createdAt" | "createdAt";
                /** @description From the `Link` header of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
                /** @description Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or more. Any other total is exact. */
                maxTotal?: number;
            };
            header?: never;
            path: {
                /** @description The id of the ledger. */
                ledgerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankDetailsChangePage"];
                };
            };
        };
    };
    approveBankDetails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the ledger. */
                ledgerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankDetailsRead"];
                };
            };
        };
    };
    initiateEscrow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewEscrow"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EscrowInitiated"];
                };
            };
        };
    };
    quoteEscrow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowQuoteRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EscrowQuote"];
                };
            };
        };
    };
    listDisputes: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A leading minus reverses the order: the latest or largest comes first. */
                sort?: "-openedAt" | "openedAt" | "-amount" | "amount";
                /** @description From the `Link` header of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
                /** @description Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or more. Any other total is exact. */
                maxTotal?: number;
                /** @description Only those in this currency. */
                currency?: components["schemas"]["Currency"];
                /** @description Only those of this administrator. */
                assignedTo?: string;
                /** @description Only those that somebody has, or nobody. */
                isAssigned?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputePage"];
                };
            };
        };
    };
    getDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeDetails"];
                };
            };
        };
    };
    disputeEscrow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DisputeRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EscrowDisputed"];
                };
            };
        };
    };
    assignDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DisputeAssignment"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeDetails"];
                };
            };
        };
    };
    addDisputeNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDisputeNote"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeDetails"];
                };
            };
        };
    };
    listEscrows: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A leading minus reverses the order: the latest or largest comes first. */
                sort?: "-createdAt" | "createdAt" | "-updatedAt" | "updatedAt";
                /** @description From the `Link` header of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
                /** @description Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or more. Any other total is exact. */
                maxTotal?: number;
                /** @description One of PENDING, ACTIVE, DELIVERY_NOTED, GOODS_RECEIVED, DISPUTED, COMPLETED, CANCELLED, RESOLVED, or several separated by commas. */
                status?: string;
                /** @description Only those of this buyer. */
                buyerId?: string;
                /** @description Only those of this seller. */
                sellerId?: string;
                /** @description Only those with this reference. */
                externalReference?: string;
                /** @description Only those with this reference or invoice number, in any case. */
                q?: string;
                /** @description A UTC day, or a date-time with Z or an offset. */
                startDate?: string;
                /** @description A UTC day (included), or a date-time with Z or an offset. */
                endDate?: string;
                /** @description A UTC day, or a date-time with Z or an offset. */
                createdFrom?: string;
                /** @description A UTC day (included), or a date-time with Z or an offset. */
                createdTo?: string;
                /** @description A UTC day, or a date-time with Z or an offset. */
                updatedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EscrowSummaryPage"];
                };
            };
        };
    };
    listActiveEscrows: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A leading minus reverses the order: the latest or largest comes first. */
                sort?: "-createdAt" | "createdAt" | "-updatedAt" | "updatedAt";
                /** @description From the `Link` header of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
                /** @description Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or more. Any other total is exact. */
                maxTotal?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EscrowList"];
                };
            };
        };
    };
    getEscrow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Escrow"];
                };
            };
        };
    };
    getEscrowTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineEntryList"];
                };
            };
        };
    };
    getEscrowProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EscrowProgress"];
                };
            };
        };
    };
    createOrderPages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderPages"];
                };
            };
        };
    };
    endOrderPages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndOrderPagesAnswer"];
                };
            };
        };
    };
    getEscrowFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
                /** @description The id of the document. */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, as a download. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    listOrderRequests: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A leading minus reverses the order: the latest or largest comes first. */
                sort?: "-createdAt" | "createdAt";
                /** @description From the `Link` header of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
                /** @description Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or more. Any other total is exact. */
                maxTotal?: number;
                /** @description One of PENDING, APPROVED, REFUSED, LAPSED, or several separated by commas. */
                status?: string;
            };
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderRequestPage"];
                };
            };
        };
    };
    approveOrderRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
                /** @description The id of the order request. */
                requestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderRequest"];
                };
            };
        };
    };
    refuseOrderRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
                /** @description The id of the order request. */
                requestId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OrderRequestRefusal"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderRequest"];
                };
            };
        };
    };
    recordDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CountedItems"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EscrowMoved"];
                };
            };
        };
    };
    confirmReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CountedItems"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EscrowMoved"];
                };
            };
        };
    };
    releaseEscrow: {
        parameters: {
            query?: {
                /** @description Releases only this milestone. */
                milestoneId?: string;
            };
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EscrowReleased"];
                };
            };
        };
    };
    extendAutoRelease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Extension"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExtendAutoReleaseAnswer"];
                };
            };
        };
    };
    cancelEscrow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EscrowCancelled"];
                };
            };
        };
    };
    proposeSplit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Proposal"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Negotiated"];
                };
            };
        };
    };
    proposeMilestonePayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
                /** @description The id of the milestone. */
                milestoneId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Adjustment"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Negotiated"];
                };
            };
        };
    };
    acceptSplit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
                /** @description The id of the negotiation. */
                negId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProposalAnswer"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Negotiated"];
                };
            };
        };
    };
    acceptMilestonePayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
                /** @description The id of the milestone. */
                milestoneId: string;
                /** @description The id of the negotiation. */
                negId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProposalAnswer"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Negotiated"];
                };
            };
        };
    };
    rejectSplit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
                /** @description The id of the negotiation. */
                negId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProposalAnswer"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Negotiated"];
                };
            };
        };
    };
    rejectMilestonePayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
                /** @description The id of the milestone. */
                milestoneId: string;
                /** @description The id of the negotiation. */
                negId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProposalAnswer"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Negotiated"];
                };
            };
        };
    };
    addDisputeEvidence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Evidence"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddDisputeEvidenceAnswer"];
                };
            };
        };
    };
    resolveDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the escrow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Resolution"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EscrowResolved"];
                };
            };
        };
    };
    createWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalRequested"];
                };
            };
        };
    };
    listWithdrawals: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A leading minus reverses the order: the latest or largest comes first. */
                sort?: "-createdAt" | "createdAt" | "-updatedAt" | "updatedAt";
                /** @description From the `Link` header of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
                /** @description Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or more. Any other total is exact. */
                maxTotal?: number;
                /** @description One of PROCESSING, COMPLETED, FAILED, REVERSED, CANCELLED, or several separated by commas. */
                status?: string;
                /** @description Your own reference. */
                externalReference?: string;
                /** @description Only those with this reference, of yours or at the bank, in any case. */
                q?: string;
                /** @description A UTC day, or a date-time with Z or an offset. */
                createdFrom?: string;
                /** @description A UTC day (included), or a date-time with Z or an offset. */
                createdTo?: string;
                /** @description A UTC day, or a date-time with Z or an offset. */
                updatedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalPage"];
                };
            };
        };
    };
    getWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the transaction. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalWithTimeline"];
                };
            };
        };
    };
    quoteWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalQuoteRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalQuote"];
                };
            };
        };
    };
    cancelWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the transaction. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WithdrawalCancellation"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdrawal"];
                };
            };
        };
    };
    resumeWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the transaction. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdrawal"];
                };
            };
        };
    };
    setWithdrawalOutcome: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the transaction. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutOutcome"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdrawal"];
                };
            };
        };
    };
    captureReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CaptureRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Capture"];
                };
            };
        };
    };
    assignCapture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the transaction. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CaptureAssignment"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Capture"];
                };
            };
        };
    };
    listCaptures: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A leading minus reverses the order: the latest or largest comes first. */
                sort?: "-createdAt" | "createdAt" | "-updatedAt" | "updatedAt";
                /** @description From the `Link` header of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
                /** @description Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or more. Any other total is exact. */
                maxTotal?: number;
                /** @description One of TRANSIT_DEPOSIT, USER, SUSPENSE, or several separated by commas. */
                matchedTo?: string;
                /** @description The reference of the payment. */
                reference?: string;
                /** @description Only those with this reference, in any case. */
                q?: string;
                /** @description A UTC day, or a date-time with Z or an offset. */
                createdFrom?: string;
                /** @description A UTC day (included), or a date-time with Z or an offset. */
                createdTo?: string;
                /** @description A UTC day, or a date-time with Z or an offset. */
                updatedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CapturePage"];
                };
            };
        };
    };
    listBankStatements: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A leading minus reverses the order: the latest or largest comes first. */
                sort?: "-createdAt" | "createdAt";
                /** @description From the `Link` header of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
                /** @description Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or more. Any other total is exact. */
                maxTotal?: number;
                /** @description Only of this account. */
                account?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankStatementPage"];
                };
            };
        };
    };
    addBankStatement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": components["schemas"]["BankFileForm"];
                "application/xml": string;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedBankStatements"];
                };
            };
        };
    };
    getBankStatement: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description Only entries with this status. */
                status?: "OPEN" | "MATCHED";
            };
            header?: never;
            path: {
                /** @description The id of the bank statement. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankStatementWithLines"];
                };
            };
        };
    };
    matchBankEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the bank entry. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BankMatchRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankEntry"];
                };
            };
        };
    };
    getBankReconciliation: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description An instant, or a UTC day: its beginning. Not in the future. Now by default. */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankReconciliation"];
                };
            };
        };
    };
    reverseDeposit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the transaction. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReversalRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reversal"];
                };
            };
        };
    };
    listReceivables: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A leading minus reverses the order: the latest or largest comes first. */
                sort?: "-createdAt" | "createdAt";
                /** @description From the `Link` header of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
                /** @description Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or more. Any other total is exact. */
                maxTotal?: number;
                /** @description One of OPEN, SETTLED, or several separated by commas. */
                status?: string;
                /** @description The escrow. */
                escrowId?: string;
                /** @description An instant, or a UTC day: its beginning. Not in the future. Now by default. */
                at?: string;
                /** @description Only lines and sums of this currency. */
                currency?: components["schemas"]["Currency"];
                /** @description The form of the answer: JSON, or a file. JSON by default. */
                format?: "json" | "csv" | "pdf";
                /** @description A UTC day, or a date-time with Z or an offset. */
                createdFrom?: string;
                /** @description A UTC day (included), or a date-time with Z or an offset. */
                createdTo?: string;
                /** @description A UTC day, or a date-time with Z or an offset. */
                updatedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceivablePage"];
                    "text/csv": string;
                    "application/pdf": string;
                };
            };
        };
    };
    settleReceivable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the transaction. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReceivableSettlement"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receivable"];
                };
            };
        };
    };
    seedFeeConfigs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigsSeeded"];
                };
            };
        };
    };
    getFeeConfigs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeeConfigs"];
                };
            };
        };
    };
    listIntercompanyDebts: {
        parameters: {
            query?: {
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description The most rows of a page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntercompanyDebtPage"];
                };
            };
        };
    };
    settleIntercompanyDebt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntercompanySettlementRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntercompanySettlement"];
                };
            };
        };
    };
    getClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Clock"];
                };
            };
        };
    };
    advanceClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClockAdvance"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdvancedClock"];
                };
            };
        };
    };
    listSandboxMessages: {
        parameters: {
            query?: {
                /** @description A phone number. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxMessages"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description The last event that was read. Absent: from the oldest. */
                after?: string;
                /** @description One of escrow.initiated, escrow.funded, escrow.delivery_noted, escrow.goods_received, escrow.milestone_released, escrow.released, escrow.auto_released, escrow.release_blocked, escrow.auto_release_extended, escrow.auto_release_stopped, escrow.auto_release_resumed, escrow.negotiation_proposed, escrow.negotiation_accepted, escrow.negotiation_rejected, escrow.negotiation_lapsed, escrow.disputed, escrow.evidence_added, escrow.resolved, escrow.cancelled, escrow.charged_back, escrow.chargeback_reversed, payment_link.created, payment_link.checkout_opened, payment_link.charge_started, payment_link.payment_declined, payment_link.checkout_lapsed, payment_link.payment_mismatched, payment_link.accepted, payment_link.late_money, payment_link.refunded, payment_link.refund_refused, payment_link.taken_back, payment_link.brought_back, payment_link.rejected, payment_link.expired, withdrawal.requested, withdrawal.submitted, withdrawal.review_needed, withdrawal.resumed, withdrawal.cancelled, withdrawal.completed, withdrawal.failed, withdrawal.returned, withdrawal.settled_late, order_request.created, order_request.approved, order_request.refused, order_request.lapsed, order_message.due, deposit.received, deposit.settled, deposit.failed, deposit.reversed, deposit.reinstated, capture.received, capture.assigned, capture.reversed, user.created, user.approved, user.approval_withdrawn, user.blacklisted, user.cleared, user.updated, user.erased, user.document_changed, account.frozen, account.unfrozen, bank_details.changed, company.updated, api_key.created, api_key.rolled, api_key.revoked, administrator.added, administrator.removed, webhook_endpoint.disabled, webhook_endpoint.enabled, or several separated by commas. */
                type?: string;
                /** @description The object that the events are about. */
                objectId?: string;
                /** @description A UTC day, or a date-time with Z or an offset. */
                createdFrom?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description Where to begin, if there is no `Last-Event-ID`. Absent: now. */
                after?: string;
                /** @description One of escrow.initiated, escrow.funded, escrow.delivery_noted, escrow.goods_received, escrow.milestone_released, escrow.released, escrow.auto_released, escrow.release_blocked, escrow.auto_release_extended, escrow.auto_release_stopped, escrow.auto_release_resumed, escrow.negotiation_proposed, escrow.negotiation_accepted, escrow.negotiation_rejected, escrow.negotiation_lapsed, escrow.disputed, escrow.evidence_added, escrow.resolved, escrow.cancelled, escrow.charged_back, escrow.chargeback_reversed, payment_link.created, payment_link.checkout_opened, payment_link.charge_started, payment_link.payment_declined, payment_link.checkout_lapsed, payment_link.payment_mismatched, payment_link.accepted, payment_link.late_money, payment_link.refunded, payment_link.refund_refused, payment_link.taken_back, payment_link.brought_back, payment_link.rejected, payment_link.expired, withdrawal.requested, withdrawal.submitted, withdrawal.review_needed, withdrawal.resumed, withdrawal.cancelled, withdrawal.completed, withdrawal.failed, withdrawal.returned, withdrawal.settled_late, order_request.created, order_request.approved, order_request.refused, order_request.lapsed, order_message.due, deposit.received, deposit.settled, deposit.failed, deposit.reversed, deposit.reinstated, capture.received, capture.assigned, capture.reversed, user.created, user.approved, user.approval_withdrawn, user.blacklisted, user.cleared, user.updated, user.erased, user.document_changed, account.frozen, account.unfrozen, bank_details.changed, company.updated, api_key.created, api_key.rolled, api_key.revoked, administrator.added, administrator.removed, webhook_endpoint.disabled, webhook_endpoint.enabled, or several separated by commas. */
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["StreamMessage"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A leading minus reverses the order: the latest or largest comes first. */
                sort?: "-createdAt" | "createdAt";
                /** @description From the `Link` header of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
                /** @description Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or more. Any other total is exact. */
                maxTotal?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteWebhookAnswer"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateSecret"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    pingWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PingAnswer"];
                };
            };
        };
    };
    replayEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Replay"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayEventsAnswer"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description The most rows of a page. */
                limit?: number;
                /** @description How many rows come before the page. */
                offset?: number;
                /** @description A leading minus reverses the order: the latest or largest comes first. */
                sort?: "-createdAt" | "createdAt";
                /** @description From the `Link` header of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
                /** @description Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or more. Any other total is exact. */
                maxTotal?: number;
                /** @description One of PENDING, DELIVERED, FAILED, or several separated by commas. */
                status?: string;
            };
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    verifyMessagingWebhook: {
        parameters: {
            query: {
                /** @description Of the platform. */
                "hub.mode": string;
                /** @description Of the platform. */
                "hub.verify_token": string;
                /** @description Of the platform. */
                "hub.challenge": string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The challenge, unchanged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    receiveMessagingNotification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessagingNotification"];
            };
        };
        responses: {
            /** @description Taken, and never needed again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Received"];
                };
            };
        };
    };
    onEscrowInitiated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowInitiatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowFunded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowFundedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowDeliveryNoted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowDeliveryNotedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowGoodsReceived: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowGoodsReceivedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowMilestoneReleased: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowMilestoneReleasedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowReleased: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowReleasedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowAutoReleased: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowAutoReleasedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowReleaseBlocked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowReleaseBlockedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowAutoReleaseExtended: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowAutoReleaseExtendedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowAutoReleaseStopped: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowAutoReleaseStoppedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowAutoReleaseResumed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowAutoReleaseResumedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowNegotiationProposed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowNegotiationProposedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowNegotiationAccepted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowNegotiationAcceptedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowNegotiationRejected: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowNegotiationRejectedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowNegotiationLapsed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowNegotiationLapsedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowDisputed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowDisputedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowEvidenceAdded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowEvidenceAddedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowResolved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowResolvedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowCancelled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowCancelledEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowChargedBack: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowChargedBackEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEscrowChargebackReversed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscrowChargebackReversedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentLinkCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkCreatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentLinkCheckoutOpened: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkCheckoutOpenedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentLinkChargeStarted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkChargeStartedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentLinkPaymentDeclined: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkPaymentDeclinedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentLinkCheckoutLapsed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkCheckoutLapsedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentLinkPaymentMismatched: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkPaymentMismatchedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentLinkAccepted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkAcceptedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentLinkLateMoney: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkLateMoneyEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentLinkRefunded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkRefundedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentLinkRefundRefused: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkRefundRefusedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentLinkTakenBack: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkTakenBackEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentLinkBroughtBack: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkBroughtBackEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentLinkRejected: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkRejectedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentLinkExpired: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkExpiredEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalRequested: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalRequestedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalSubmitted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalSubmittedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalReviewNeeded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalReviewNeededEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalResumed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalResumedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalCancelled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalCancelledEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalCompletedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalFailedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalReturned: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalReturnedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalSettledLate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalSettledLateEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderRequestCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderRequestCreatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderRequestApproved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderRequestApprovedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderRequestRefused: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderRequestRefusedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderRequestLapsed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderRequestLapsedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderMessageDue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderMessageDueEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDepositReceived: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DepositReceivedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDepositSettled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DepositSettledEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDepositFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DepositFailedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDepositReversed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DepositReversedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDepositReinstated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DepositReinstatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCaptureReceived: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CaptureReceivedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCaptureAssigned: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CaptureAssignedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCaptureReversed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CaptureReversedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUserCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserCreatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUserApproved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserApprovedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUserApprovalWithdrawn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserApprovalWithdrawnEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUserBlacklisted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserBlacklistedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUserCleared: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserClearedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUserUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserUpdatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUserErased: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserErasedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUserDocumentChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserDocumentChangedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAccountFrozen: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountFrozenEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAccountUnfrozen: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountUnfrozenEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBankDetailsChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BankDetailsChangedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCompanyUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyUpdatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onApiKeyCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyCreatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onApiKeyRolled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyRolledEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onApiKeyRevoked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyRevokedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAdministratorAdded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdministratorAddedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAdministratorRemoved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdministratorRemovedEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookEndpointDisabled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointDisabledEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookEndpointEnabled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointEnabledEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookPing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookPingEvent"];
            };
        };
        responses: {
            /** @description The event was received. Any other answer is tried again, for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
