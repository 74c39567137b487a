/** A certificate for localhost that nobody vouches for, with its key: made for these tests, and good for nothing else. */
export const untrusted = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgb3s29FNyJO05hSTH
AWlOMGE/JBg4nWnR0ec83wo1uPehRANCAAQt3T7Lrh9FVMd3uCmrdcd5KRygQIe6
o3/BY+vsITKbdJ6Lg47kdz22G4Qwhd9U55b/n0rMNCfMKpemRr6D/Qgq
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUP8BJQbf9KVl8NhgEVjFehg6/xKwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE3NTY1NFoYDzIxMjYxMDI4
MTc1NjU0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQt3T7Lrh9FVMd3uCmrdcd5KRygQIe6o3/BY+vsITKbdJ6Lg47kdz22
G4Qwhd9U55b/n0rMNCfMKpemRr6D/Qgqo28wbTAdBgNVHQ4EFgQUvqGONQucimkq
PyOverrmhGWsE/owHwYDVR0jBBgwFoAUvqGONQucimkqPyOverrmhGWsE/owDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgea8OjRhoePj0E1gHB38mqIQXxk8RbnwvSNYealBrJQcCIF3l
Zis2zhiT5HSxi4FtF7RCR7JuWmLij8W3mDxDjqEn
-----END CERTIFICATE-----
`,
}
