/** The messages for failures of outgoing calls. Values stand in braces. */
export const outboundMessages = {
  timeout: 'the target did not answer in time',
  tls: 'no secure connection to the target could be made',
  protocol: 'the exchange with the target broke the rules of HTTP',
  unreachable: 'the target could not be reached',
  unresolved: 'the name of the target does not resolve',
  no_address: 'the name of the target has no address',
  not_public: 'the target is not a public address, and PARLEY_PRIVATE_TARGETS does not list it',
  metadata: 'the target is a cloud metadata service',
  names_somebody: 'the address of the target may not hold a user name or password',
  no_url: 'the address of the target is not a URL',
  no_http: 'the address of the target must begin with http:// or https://',
  too_many_interim: 'the target sent too many interim responses',
} as const
