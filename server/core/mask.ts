import { maskSecret } from './secrets.ts'

/** Parameters and members whose value is good for something to whoever reads it: `access_token`, `accessToken`. */
const secretNames = [
  'access_?token',
  'refresh_?token',
  'id_?token',
  'id_?token_?hint',
  'subject_?token',
  'actor_?token',
  'registration_?access_?token',
  'control_?token',
  'client_?secret',
  'client_?assertion',
  'code',
  'code_?verifier',
  'device_?code',
  'password',
  'secret',
  'token',
  'nonce',
].join('|')

const secretName = new RegExp(`^(?:${secretNames})$`, 'i')

/** Whether what is called so is a secret, whatever it looks like. */
export function isSecretName(name: string): boolean {
  return secretName.test(name)
}

// None of these may look at a character more than a few times, however a text repeats what they begin with: this
// runs for whatever a stranger sends.
const inForm = new RegExp(`((?:^|[?&\\s;#])(?:${secretNames})=)([^&\\s#;]+)`, 'gi')
/** The same in an address that is a parameter of another: `?next=%2Fcallback%3Fcode%3D…`. */
const inEncodedForm = new RegExp(
  `((?:%3F|%26|%23)(?:${secretNames})%3D)((?:[^&\\s%#;]|%(?!26|23))+)`,
  'gi',
)
const inJson = new RegExp(`("(?:${secretNames})"\\s*:\\s*")([^"\\\\]*(?:\\\\.[^"\\\\]*)*)`, 'gi')
/** Opens the secrets of a job: whatever they are called, each of them is one. */
const jobSecrets = /"(?:job_)?secrets"\s*:\s*\{/gi
const jobSecret = /\s*("[^"\\]*(?:\\.[^"\\]*)*"\s*:\s*")([^"\\]*(?:\\.[^"\\]*)*)("?\s*,?)/gsy
/** The password of a URL (RFC 3986 §3.2.1), and of one that is a parameter. */
const inUrl = /(:\/\/[^\s/?#:@"'<>\\]*:)([^\s/?#"'<>\\]+)(?=@)/g
const inEncodedUrl =
  /(%3A%2F%2F(?:[^&\s%]|%(?!2F|3A|3F|23|40))*%3A)((?:[^&\s%]|%(?!2F|3F|23|40))+)(?=%40)/gi
/** Within an encoded text it may follow an escape, the digits of which are word characters, too. */
const hubToken = /(?:\b|(?<=%[\dA-Fa-f]{2}))hf_\w{8,}/g
/** Beginning of an access token of an app, which is a JWT behind a prefix. */
const prefixedJwt = /^hf_[a-z_]{1,30}eyJ[\w-]/
/** Words, dots and all: each is one match, so that each is looked at once. */
const dottedWord = /[\w.-]+/g

/** What stands in the place of a secret. */
export type Conceal = (secret: string) => string

/**
 * Text with every token and secret shortened to what tells them apart. Works on what was cut off, too, so it looks for
 * names rather than parsing; in time that grows with the length of the text and no faster.
 */
export function maskText(text: string, conceal: Conceal = maskSecret): string {
  const mask = (_match: string, name: string, value: string) => `${name}${conceal(value)}`
  return maskTokens(
    maskJobSecrets(text, conceal)
      .replace(inForm, mask)
      .replace(inEncodedForm, mask)
      .replace(inJson, mask)
      .replace(inUrl, mask)
      .replace(inEncodedUrl, mask),
    conceal,
  )
}

/** Masks what shows by its form that it is a token: tokens of the hub and signed JWTs. */
export function maskTokens(text: string, conceal: Conceal): string {
  // A prefixed JWT goes on behind its first dot, so it is masked with the other JWTs.
  const mask = (token: string) => (prefixedJwt.test(token) ? token : conceal(token))
  return maskJwts(text.replace(hubToken, mask), conceal)
}

function maskJobSecrets(text: string, conceal: Conceal): string {
  let masked = ''
  let done = 0
  for (const { index, 0: opening } of text.matchAll(jobSecrets)) {
    const start = index + opening.length
    if (start < done) continue
    masked += text.slice(done, start)
    done = start
    jobSecret.lastIndex = start
    for (let pair = jobSecret.exec(text); pair !== null; pair = jobSecret.exec(text)) {
      const [whole, name = '', value = '', rest = ''] = pair
      masked += `${name}${conceal(value)}${rest}`
      done += whole.length
    }
  }
  return done === 0 ? text : masked + text.slice(done)
}

/**
 * Masks signed JWTs (RFC 7515 §7.1) wherever they stand: three parts, the first of which begins a JSON object. With the
 * prefix of a token one or two parts are enough, since the text may be cut off.
 */
function maskJwts(text: string, conceal: Conceal): string {
  if (!text.includes('eyJ')) return text
  return text.replace(dottedWord, (word) => {
    const parts = word.split('.')
    let position = 0
    for (const [index, part] of parts.entries()) {
      const found = /(?:\b|(?<=^[\dA-Fa-f]{2}))(hf_[a-z_]{1,30})?eyJ[\w-]/.exec(part)
      const start = found?.index ?? -1
      const isWhole = Boolean(parts[index + 1]) && Boolean(parts[index + 2])
      if (start >= 0 && (isWhole || found?.[1] !== undefined))
        return word.slice(0, position + start) + maskToken(word.slice(position + start), conceal)
      position += part.length + 1
    }
    return word
  })
}

/** A sentence may end behind it. */
function maskToken(text: string, conceal: Conceal): string {
  const end = text.endsWith('.') ? text.length - 1 : text.length
  return conceal(text.slice(0, end)) + text.slice(end)
}

/** Headers that are a secret as a whole, such as `X-Webhook-Secret` and `X-Api-Key`. */
const secretHeader = /(?:^|-)(?:secret|token|password|api-?key)$/

/** The value of a header as it may be shown. */
export function maskHeader(name: string, value: string, conceal: Conceal = maskSecret): string {
  const lowerName = name.toLowerCase()
  switch (lowerName) {
    case 'authorization':
    case 'proxy-authorization': {
      // Without a scheme it is the credentials alone: a mistake that is made with real ones.
      const end = value.search(/\s/)
      if (end < 0) return conceal(value)
      return `${value.slice(0, end)} ${conceal(value.slice(end).trim())}`
    }
    case 'cookie':
      return value.replace(/=([^;]+)/g, (_match, text: string) => `=${conceal(text)}`)
    case 'set-cookie':
      return value.replace(/=([^;]+)/, (_match, text: string) => `=${conceal(text)}`)
    default:
      return secretHeader.test(lowerName) ? conceal(value) : maskText(value, conceal)
  }
}
