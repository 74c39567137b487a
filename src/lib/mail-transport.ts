import type { SendMailOptions, SMTPPoolOptions, SMTPTransportOptions, Transporter } from 'nodemailer'

/** A mail that tells when its last byte goes to the server. */
interface WatchedMail extends SendMailOptions {
  onWhole(): void
}

/** Opens a way to a mail server. The library is loaded with the first one, because most installations send no mail. */
export async function openTransport(options: SMTPTransportOptions | SMTPPoolOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const transport: Transporter = createTransport({
    ...options,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  transport.use('stream', (mail, done) => {
    const { onWhole } = mail.data as WatchedMail
    mail.message.processFunc((bytes) => bytes.once('end', onWhole))
    done()
  })
  return transport
}

/**
 * Hands a mail to a server. The library cannot say where a connection broke: a server that did not get the whole mail
 * has not taken it, and one that got it and gave no reply may have.
 * @param failure makes an error of the library's
 * @throws what `failure` returns
 */
export async function sendMail(
  transport: Transporter,
  mail: SendMailOptions,
  failure: (error: unknown, isWhole: boolean) => Error,
): Promise<void> {
  let isWhole = false
  const watched: WatchedMail = {
    ...mail,
    onWhole() {
      isWhole = true
    },
  }
  try {
    await transport.sendMail(watched)
  } catch (error) {
    throw failure(error, isWhole)
  }
}
