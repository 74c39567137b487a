import type { Attachment } from '../attachment.ts'

/** The reason why a file was not uploaded. */
export interface UploadFailure {
  /** True if the service will never take the file; otherwise it may do so later. */
  refused: boolean
  /** The error code of the service; empty: it did not answer. */
  code: string
  /** The service's own words on it; empty: it did not answer. */
  message: string
}

/**
 * Uploads a file. XMLHttpRequest tells how much was sent, as `fetch` does not.
 * @param progressed called with the part that was sent, from 0 to 1
 * @throws UploadFailure
 */
export function uploadFile(
  address: string,
  token: string | null,
  file: File,
  progressed: (part: number) => void,
  signal: AbortSignal,
): Promise<Attachment> {
  return new Promise((resolve, reject: (failure: UploadFailure) => void) => {
    const request = new XMLHttpRequest()
    request.open('POST', address)
    if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => progressed(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const { status, response } = request
      if (status === 201) return resolve(response.data)
      const { code = '', message = '' } = response?.error ?? {}
      reject({ refused: status === 400 || status === 413, code, message })
    }
    request.onerror = request.onabort = () => reject({ refused: false, code: '', message: '' })
    signal.addEventListener('abort', () => request.abort())
    const form = new FormData()
    form.append('file', file)
    request.send(form)
  })
}
