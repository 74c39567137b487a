/** Matches the e-mail address of a person: what any mail system could take, and nothing that ends a header. */
export const EMAIL_ADDRESS = /^[!-?A-~\u00a0-\uffff]+@[a-z0-9\u00a0-\uffff.-]+$/i
