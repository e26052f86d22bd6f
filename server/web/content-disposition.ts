import { encodeText } from '../core/encode-text.ts'

/**
 * Builds `Content-Disposition` for a file: its name by RFC 6266, and a plain one for older clients.
 * @param path of the file; its last part is the name
 * @param isSaved a browser saves the file instead of showing it
 */
export function contentDisposition(path: string, isSaved = false): string {
  return `${isSaved ? 'attachment' : 'inline'}; ${fileNameOf(path)}`
}

function fileNameOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/^[\w.-]+$/.test(name)) return `filename*=UTF-8''${name}; filename="${name}"`
  const encoded = encodeText(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename*=UTF-8''${encoded}; filename="${name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')}"`
}
