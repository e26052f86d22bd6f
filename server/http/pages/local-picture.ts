import { encodeText } from '../../core/encode-text.ts'

/**
 * A picture that our pages may show: one of our own or inline. Nothing is fetched from elsewhere, which would tell
 * others who looks.
 */
export function localPicture(picture: string | undefined, name: string): string {
  const isLocal = picture?.startsWith('data:image/') === true || /^\/(?!\/)/.test(picture ?? '')
  return isLocal && picture !== undefined ? picture : `/avatars/${encodeText(name)}.svg`
}
