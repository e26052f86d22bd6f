import { maskSecret } from './secrets.ts'

/** Parameters and members whose value is good for something to whoever reads it. */
const secretNames = [
  'access_token',
  'refresh_token',
  'id_token',
  'id_token_hint',
  'subject_token',
  'actor_token',
  'client_secret',
  'clientSecret',
  'client_assertion',
  'code',
  'code_verifier',
  'device_code',
  'registration_access_token',
  'password',
  'secret',
  'token',
  'nonce',
].join('|')

const inForm = new RegExp(`((?:^|[?&\\s;])(?:${secretNames})=)([^&\\s#;]+)`, 'g')
const inJson = new RegExp(`("(?:${secretNames})"\\s*:\\s*")((?:[^"\\\\]|\\\\.)+)`, 'g')
/** Tokens of the hub wherever they stand, and signed JWTs. */
const onSight = /\bhf_\w{8,}|\beyJ[\w-]+\.[\w-]+\.[\w-]+/g

/**
 * Text with every token and secret shortened to what tells them apart. Works on what was cut off, too, so it looks for
 * names rather than parsing.
 */
export function maskText(text: string): string {
  const mask = (_match: string, name: string, value: string) => `${name}${maskSecret(value)}`
  return text.replace(inForm, mask).replace(inJson, mask).replace(onSight, maskSecret)
}

/** The value of a header as it may be shown. */
export function maskHeader(name: string, value: string): string {
  switch (name.toLowerCase()) {
    case 'authorization':
    case 'proxy-authorization':
      return value.replace(/^(\S+)\s+(.+)$/, (_match, scheme: string, credentials: string) => {
        return `${scheme} ${maskSecret(credentials)}`
      })
    case 'cookie':
      return value.replace(/=([^;]+)/g, (_match, text: string) => `=${maskSecret(text)}`)
    case 'set-cookie':
      return value.replace(/=([^;]+)/, (_match, text: string) => `=${maskSecret(text)}`)
    case 'x-webhook-secret':
      return maskSecret(value)
    default:
      return maskText(value)
  }
}
