import { maskSecret } from './secrets.ts'

// Definition of secrets for request log, HAR, exports and records. Each pattern must run in linear time, because it is
// applied to untrusted input.

/** Whole names of parameters and members that are secrets: `access_token`, `accessToken`. */
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

/** Words in the names of secrets: `DB_PASSWORD`, `stripe-api-key`. */
const secretWords = [
  'tokens?',
  'secrets?',
  'passw(?:or)?d',
  'passphrase',
  'api[_-]?key',
  'access[_-]?key',
  'private[_-]?key',
  'credentials?',
  'assertion',
  'authorization',
  'cookie',
  'session',
].join('|')

const secretName = new RegExp(`^(?:${secretNames})$`, 'i')
const wordInName = new RegExp(secretWords, 'i')
/** Names of values that describe a secret. */
const aboutSecret =
  /(?:types?|hint|endpoint|methods?|supported|expires(?:_?(?:in|at))?|ids?|name|ur[il]s?|duration|ttl|limit|counts?|role|state)$/i

/** Checks whether a parameter or member with this name is a secret, whatever its value. */
export function isSecretName(name: string): boolean {
  return secretName.test(name) || (wordInName.test(name) && !aboutSecret.test(name))
}

const name = String.raw`[\w.%[\]-]{1,120}`
const inForm = new RegExp(`((?:^|[?&\\s;#])(${name})=)([^&\\s#;]+)`, 'g')
/** Parameter of a URL within a parameter of another: `?next=%2Fcallback%3Fcode%3D…`. */
const inEncodedForm = /((?:%3F|%26|%23)([\w.[\]-]{1,120})%3D)((?:[^&\s%#;]|%(?!26|23))+)/gi
const inJson = new RegExp(`("(${name})"\\s*:\\s*")([^"\\\\]*(?:\\\\.[^"\\\\]*)*)`, 'g')
/** Start of the secrets or environment of a job: each value is a secret, whatever its name. */
const jobSecrets = /"(?:job_)?(?:secrets|environment)"\s*:\s*\{/gi
const jobSecret = /\s*("[^"\\]*(?:\\.[^"\\]*)*"\s*:\s*")([^"\\]*(?:\\.[^"\\]*)*)("?\s*,?)/gsy
/** Password of a URL (RFC 3986 §3.2.1), which may contain an apostrophe, and of a URL within a parameter. */
const inUrl = /(:\/\/[^\s/?#:@"<>\\]{0,200}:)([^\s/?#"<>\\]{1,500})(?=@)/g
const inEncodedUrl =
  /(%3A%2F%2F(?:[^&\s%]|%(?!2F|3A|3F|23|40))*%3A)((?:[^&\s%]|%(?!2F|3F|23|40))+)(?=%40)/gi
/** User name of a URL without a password: a token, if long. */
const userOfUrl = /(:\/\/)([^\s/?#:@"'<>\\]{12,200})(?=@)/g
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]*KEY-----)?/g
/** In encoded text it can follow an escape, whose digits are word characters. */
const hubToken = /(?:\b|(?<=%[\dA-Fa-f]{2}))hf_\w{8,}/g
/** Start of an app's access token, which is a JWT after a prefix. */
const prefixedJwt = /^hf_[a-z_]{1,30}eyJ[\w-]/
/** Part of a masked token of the sandbox that is before its ellipsis. */
const startOfMasked = /^hf_(?:oauth_)?sandbox_.?$/
/** Word with dots: a single match, so that it is examined once. */
const dottedWord = /[\w.-]+/g

/** Returns the replacement of a secret. */
export type Conceal = (secret: string) => string

/**
 * Shortens every token and secret in a text. It searches for names rather than parsing, so it also works on cut text,
 * in linear time.
 */
export function maskText(text: string, conceal: Conceal = maskSecret): string {
  const mask = (_match: string, before: string, value: string) => `${before}${conceal(value)}`
  const maskNamed = (whole: string, before: string, called: string, value: string) =>
    isSecretName(called) ? `${before}${conceal(value)}` : whole
  return maskForms(
    maskJobSecrets(text, conceal)
      .replace(inForm, maskNamed)
      .replace(inEncodedForm, maskNamed)
      .replace(inJson, maskNamed)
      .replace(inUrl, mask)
      .replace(inEncodedUrl, mask)
      .replace(userOfUrl, mask),
    conceal,
  )
}

/** Masks secrets recognized by their form: tokens of the hub, signed JWTs and private keys. */
export function maskForms(text: string, conceal: Conceal): string {
  const mask = (token: string, offset: number) => {
    const isMasked = startOfMasked.test(token) && text[offset + token.length] === '…'
    // A prefixed JWT continues after its first dot, so it is masked with the other JWTs.
    return isMasked || prefixedJwt.test(token) ? token : conceal(token)
  }
  return maskJwts(text.replace(hubToken, mask), conceal).replace(privateKey, (key) => conceal(key))
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
 * Masks signed JWTs (RFC 7515 §7.1) anywhere: three parts, of which the first starts a JSON object. With the prefix of
 * a token one or two parts are enough, because the text may be cut.
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

/** A final dot may end a sentence. */
function maskToken(text: string, conceal: Conceal): string {
  const end = text.endsWith('.') ? text.length - 1 : text.length
  return conceal(text.slice(0, end)) + text.slice(end)
}

/** Names of headers whose whole value is secret, such as `X-Webhook-Secret` and `X-Api-Key`. */
const secretHeader = /secret|token|passw|api-?key|auth|credential|session/
/** Challenges contain no credentials. */
const challenge = /^(?:www|proxy|lfs)-authenticate$/

/** Returns the value of a header with secrets masked. */
export function maskHeader(name: string, value: string, conceal: Conceal = maskSecret): string {
  const lowerName = name.toLowerCase()
  switch (lowerName) {
    case 'authorization':
    case 'proxy-authorization': {
      // A value without a scheme is masked as credentials: a mistake people make with real ones.
      const end = value.search(/\s/)
      if (end < 0) return conceal(value)
      return `${value.slice(0, end)} ${conceal(value.slice(end).trim())}`
    }
    case 'cookie':
      return value.replace(/=([^;]+)/g, (_match, text: string) => `=${conceal(text)}`)
    case 'set-cookie':
      return value.replace(/=([^;]+)/, (_match, text: string) => `=${conceal(text)}`)
    default:
      return isSecretHeader(lowerName) ? conceal(value) : maskText(value, conceal)
  }
}

function isSecretHeader(name: string): boolean {
  return secretHeader.test(name) && !aboutSecret.test(name) && !challenge.test(name)
}
