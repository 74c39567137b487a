import { wordList } from '../engine/word-list.ts'

/** Words for passwords. */
export const PASSWORD_WORDS: readonly string[] = wordList(
  'password, passwd, pwd, pgpassword, mysql_pwd, db_pass, redis_password, userpassword, passphrase, pass phrase, passcode, pass word, login, credentials, db_password',
  'pw, psw',
  'passwort, kennwort, passwoerter, mot de passe, mdp, contrasena, contraseña, clave, password e, senha',
  'palavra-passe, palavra passe',
  'routerpasswort, wlanpasswort, kundenpasswort, kundenkennwort, benutzerpasswort, benutzerkennwort, masterpasswort, adminpasswort, administratorpasswort, startpasswort, initialpasswort, mailpasswort, emailpasswort, loginpasswort, anmeldepasswort, kontopasswort, kontokennwort, telefonkennwort',
  'inlogwachtwoord, wifiwachtwoord, beheerderswachtwoord, hoofdwachtwoord, mailwachtwoord, accountwachtwoord',
  // Words for a user name and a password together.
  'zugangsdaten, anmeldedaten, logindaten, login-daten, login data, identifiants, datos de acceso, credenciales, credenciais, dados de acesso, credenziali, inloggegevens, dane logowania, inloggningsuppgifter',
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
  'client_secret, clientsecret, access key, access_key, accesskey, accountkey, sharedaccesskey, sharedaccesskeyname, account key, storage key, webhook secret, signing secret',
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

/** Words for the security code of a card. */
export const CARD_CODE_WORDS: readonly string[] = wordList(
  'cvv, cvv2, cvc, cvc2, csc, cid, security code, prufnummer, sicherheitscode, cryptogramme',
  'code de securite, codigo de seguridad, codice di sicurezza, codigo de seguranca, guvenlik kodu, 安全码',
)

/** Words for short numbers that grant access. */
export const PIN_WORDS: readonly string[] = [
  ...CARD_CODE_WORDS,
  ...wordList(
    'puk, puk code, puk-code, pukcode, puk number, puk-nummer, codigo puk, code puk, codice puk, kod puk',
    'pin, pin code, pin-code, pincode, pin number, otp, one-time code, one-time password',
    'verification code, passcode, access code, door code, geheimzahl, pinnummer',
    'code pin, codigo pin, codigo de verificacion, codice pin',
    'pincode, kod pin, pin-kod, pinkod, dogrulama kodu',
    'пин, пин-код*, код подтверждения, رمز التحقق, الرقم السري, पिन, ओटीपी, 验证码, 驗證碼, 暗証番号, 認証コード',
    '핀번호, 인증번호, รหัส pin, ma pin, ma xac nhan, ma otp, kode otp, kode pin',
  ),
]

/** Words for codes that are used once. */
export const CODE_WORDS: readonly string[] = wordList(
  'your code, the code, verification code*, confirmation code, security code, one-time code, one time code, one-time passcode, one time password, one-time password, login code, sign-in code, access code, authentication code, auth code, otp, otp code, 2fa code, mfa code, sms code, tan, mtan, activation code, reset code, backup code',
  'google verification code, whatsapp code, uber code, pairing code, bestatigungscode*, bestatigungs-code, sicherheitscode*, einmalcode*, einmalpasswort*, verifizierungscode*, zugangscode*, freischaltcode*, aktivierungscode*, anmeldecode*, ihr code, dein code',
  "code de verification, code de confirmation, code de securite, code a usage unique, votre code, ton code, code sms, code d'acces, codigo de verificacion, codigo de confirmacion, codigo de seguridad, codigo de acceso, su codigo, tu codigo, codigo sms, clave de un solo uso",
  'codice di verifica, codice di conferma, codice di sicurezza, codice otp, il tuo codice, il suo codice, codigo de verificacao, codigo de confirmacao, codigo de seguranca, seu codigo, teu codigo, verificatiecode*, bevestigingscode*, beveiligingscode*, uw code, je code, inlogcode*',
  'kod weryfikacyjny, kod potwierdzenia, twoj kod, kod jednorazowy, kod sms, verifieringskod*, engangskod*, sakerhetskod*, din kod, bekraftelsekod*, bekraeftelseskode*, engangskode*, bekreftelseskode*, din kode, vahvistuskoodi*, kertakayttokoodi*, overovaci kod, potvrzovaci kod, vas kod, megerosito kod*, ellenorzo kod*',
  'cod de verificare, codul tau, codul de verificare, dogrulama kodu*, onay kodu*, guvenlik kodu*, kodunuz, tek kullanimlik sifre*, sms kodu*, kod za potvrdu, potrditvena koda, код подтверждения, кода подтверждения, код доступа, код безопасности, ваш код, одноразовый код, проверочный код, код из смс, код з смс, код підтвердження, код за потвърждение',
  'κωδικος επιβεβαιωσης, κωδικος επαληθευσης, קוד אימות, קוד האימות, رمز التحقق, رمز التأكيد, رمزك, كود التفعيل, کد تایید, ओटीपी, सत्यापन कोड, ओटीपी कोड, যাচাইকরণ কোড',
  '验证码, 驗證碼, 校验码, 动态码, 認証コード, 確認コード, ワンタイムパスワード, 인증번호, 인증 코드, 확인 코드, รหัสยืนยัน, รหัส otp, ma xac nhan, ma xac thuc, ma otp, kode verifikasi, kode otp, kode konfirmasi, kod pengesahan',
)

/** Words before a code that somebody is told to use. */
export const USE_WORDS: readonly string[] = wordList(
  'use, enter, type, verwenden sie, verwende, nutze, nutzen sie, gib, geben sie, utilisez, utilise, saisissez, entrez, usa, usar, utiliza, introduce, ingresa, insira, digite, use o codigo, inserisci, usa il codice, gebruik, voer',
)
