import { own } from '../../core/own.ts'

/** Types that a browser shows and never runs. All other files are sent as plain text or bytes. */
const shown: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  png: 'image/png',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
}

const texts = new Set(
  'cff css csv htm html ini ipynb jinja js jsonl log lock md mjs py rst sh sql svg toml ts tsv txt xhtml xml yaml yml'.split(
    ' ',
  ),
)

/** Returns the media type of a file of a repo: never one that a browser would run. */
export function mediaTypeOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const extension = name.slice(name.lastIndexOf('.') + 1)
  if (texts.has(extension) || /^\.git(?:attributes|ignore)$|^(?:readme|license)$/.test(name)) {
    return 'text/plain; charset=utf-8'
  }
  return own(shown, extension) ?? 'application/octet-stream'
}
