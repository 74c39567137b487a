import { wordList } from '../engine/word-list.ts'

/** Words for passwords. */
export const PASSWORD_WORDS: readonly string[] = wordList(
  'password, passwd, pwd, passphrase, pass phrase, passcode, pass word, login, credentials, db_password',
  'pw, psw',
  'passwort, kennwort, passwoerter, mot de passe, mdp, contrasena, contraseña, clave, password e, senha',
  'palavra-passe, palavra passe',
  "parola d'ordine, wachtwoord, haslo, hasło, heslo, losenord, lösenord, adgangskode, passord, salasana",
  'jelszo, parola, parolam, sifre*, şifre*, lozinka*, geslo',
  'пароль, пароля, паролем, кодовое слово, κωδικος, סיסמה, הסיסמה, كلمة المرور, كلمة السر, كلمة مروري',
  'الرقم السري, رمز عبور, पासवर्ड, গোপনীয়',
  '密码, 密碼, 口令, パスワード, 暗証, 비밀번호, 암호, 패스워드, รหัสผ่าน, พาสเวิร์ด, mat khau, mật khẩu, kata sandi, sandi',
  'kata laluan',
)

/** Words for keys and tokens, in the forms that people and programs use. */
export const KEY_WORDS: readonly string[] = wordList(
  'api key, api_key, apikey, api-key, x-api-key, secret, secret key, secret_key, client secret',
  'client_secret, access key, access_key, accesskey',
  'access token, access_token, auth token, auth_token, authtoken, token, refresh token, refresh_token',
  'bearer, authorization, private key, private_key',
  'aws_secret_access_key, secret_access_key, secretaccesskey, session_token, session token',
  'encryption key, signing key, license key, recovery code, recovery key, seed',
  "schlussel, api-schlussel, cle api, cle d'api, cle secrete, jeton, clave api, clave de api",
  'clave secreta, chave de api, chave api, chiave api, chiave segreta',
  'sleutel, api-sleutel, klucz api, klucz, api-nyckel, nyckel, api anahtari, anahtar*, ключ, апи ключ',
  'api ключ, токен, مفتاح api, مفتاح, रमज़, टोकन, कुंजी',
  '密钥, 密鑰, 令牌, apiキー, トークン, 秘密鍵, api 키, api키, 토큰, คีย์, โทเค็น, khoa api, ma thong bao, kunci api',
  'kunci, token akses',
)

/** Words for short numbers that grant access. */
export const PIN_WORDS: readonly string[] = wordList(
  'pin, pin code, pin-code, pincode, pin number, cvv, cvv2, cvc, cvc2, csc, cid, security code, otp',
  'one-time code, one-time password',
  'verification code, passcode, access code, door code, geheimzahl, pinnummer, prufnummer',
  'sicherheitscode, code pin, cryptogramme, code de securite, codigo pin',
  'codigo de seguridad, codigo de verificacion, codice pin, codice di sicurezza, codigo de seguranca',
  'pincode, kod pin, pin-kod, pinkod, guvenlik kodu, dogrulama kodu',
  'пин, пин-код*, код подтверждения, رمز التحقق, الرقم السري, पिन, ओटीपी, 验证码, 驗證碼, 安全码, 暗証番号, 認証コード',
  '핀번호, 인증번호, รหัส pin, ma pin, ma xac nhan, ma otp, kode otp, kode pin',
)
