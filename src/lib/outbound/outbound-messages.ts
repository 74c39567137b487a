/** The messages of what most often fails. */
export const outboundMessages = {
  timeout: 'the target did not answer in time',
  tls: 'no secure connection to the target could be made',
  protocol: 'the exchange with the target broke the rules of HTTP',
  unreachable: 'the target could not be reached',
  unresolved: 'the name of the target does not resolve',
  no_address: 'the name of the target has no address',
  not_public: 'the target is not a public address, and PARLEY_PRIVATE_TARGETS does not list it',
} as const
