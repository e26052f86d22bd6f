// What the load generator can do: each scenario is the requests of one item, in their order.

/** @typedef {import('./load.mjs').Flow} Flow */
/** @typedef {import('./load.mjs').Answer} Answer */

/**
 * @param {{ host: string, method?: string, path: string, headers?: string[], form?: Record<string, string>, json?: object }} request
 */
function encodeRequest({ host, method = 'GET', path, headers = [], form, json }) {
  const body = json === undefined ? new URLSearchParams(form).toString() : JSON.stringify(json)
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...headers]
  if (form !== undefined) lines.push('Content-Type: application/x-www-form-urlencoded')
  if (json !== undefined) lines.push('Content-Type: application/json')
  if (method === 'POST') lines.push(`Content-Length: ${body.length}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/**
 * @param {Answer} answer
 * @param {number} status
 */
function expectStatus(answer, status) {
  if (answer.status !== status)
    throw new Error(`expected ${status}: ${answer.head.split('\r\n', 1)[0]} ${answer.body}`)
  return answer
}

/**
 * @param {Answer} answer
 * @returns {string}
 */
function codeOf(answer) {
  if (answer.status !== 302) expectStatus(answer, 303)
  const location = /\r\nlocation: (\S+)/i.exec(answer.head)?.[1] ?? ''
  const code = new URL(location).searchParams.get('code')
  if (code === null) throw new Error(`no code in ${location}`)
  return code
}

/** @type {Map<string, string>} the latest refresh token of each connection to each server */
const refreshTokens = new Map()

/** @satisfies {Record<string, (input: any, item: number, connection: number) => Flow>} */
export const scenarios = {
  /** The same request again and again. */
  *same({ host, request, status = 200 }) {
    // Kept between items: encoding it would cost more than sending it.
    request.encoded ??= encodeRequest({ host, ...request })
    expectStatus(yield request.encoded, status)
  },

  /** Two requests: the second goes where the first redirects, or asks for the same again. */
  *inTwo({ host, request }) {
    request.encoded ??= encodeRequest({ host, ...request })
    const { head } = yield request.encoded
    const location = /\r\nlocation: (\S+)/i.exec(head)?.[1] ?? request.path
    if (request.location !== location) {
      request.location = location
      request.second = encodeRequest({ host, ...request, path: location })
    }
    expectStatus(yield request.second, 200)
  },

  /** Changes one of ten files in a commit of its own. */
  *commit({ host, path, headers, first }, item) {
    const file = first + item
    const content = Buffer.from(`This is ${file}.`).toString('base64')
    const lines = [
      { key: 'header', value: { summary: `Change ${file}` } },
      { key: 'file', value: { path: `data/${file % 10}.txt`, content, encoding: 'base64' } },
    ]
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${host}`,
      ...headers,
      'Content-Type: application/x-ndjson',
      `Content-Length: ${body.length}`,
    ]
    expectStatus(yield `${head.join('\r\n')}\r\n\r\n${body}`, 200)
  },

  /** Gets a code with the user's cookie, as a program does. */
  *code({ host, query, cookie }) {
    const path = `/oauth/authorize?${query}`
    const headers = [`Cookie: ${cookie}`]
    return codeOf(yield encodeRequest({ host, method: 'POST', path, headers }))
  },

  /** Exchanges one of the codes that were got before. */
  *token({ host, codes, form }, item) {
    const code = codes[item]
    expectStatus(
      yield encodeRequest({ host, method: 'POST', path: '/oauth/token', form: { ...form, code } }),
      200,
    )
  },

  /** The whole sign-in of an app and its user: consent page, approval, tokens, userinfo. */
  *signIn({ host, query, cookie, form }) {
    const path = `/oauth/authorize?${query}`
    const headers = [`Cookie: ${cookie}`]
    const page = expectStatus(yield encodeRequest({ host, path, headers }), 200)
    const nonce = /name="nonce" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
    const code = codeOf(
      yield encodeRequest({
        host,
        method: 'POST',
        path,
        headers: [...headers, `Origin: http://${host}`],
        form: { nonce, decision: 'approve' },
      }),
    )
    const answer = expectStatus(
      yield encodeRequest({ host, method: 'POST', path: '/oauth/token', form: { ...form, code } }),
      200,
    )
    const { access_token: accessToken, id_token: idToken } = JSON.parse(answer.body)
    if (idToken === undefined) throw new Error('no ID token')
    const authorization = `Authorization: Bearer ${accessToken}`
    expectStatus(
      yield encodeRequest({ host, path: '/oauth/userinfo', headers: [authorization] }),
      200,
    )
  },

  /** A sign-in at a provider that asks nobody: code, tokens, userinfo. */
  *unaskedSignIn({ host, authorize, token, userinfo, form }) {
    const code = codeOf(yield encodeRequest({ host, path: authorize }))
    const request = { host, method: 'POST', path: token, form: { ...form, code } }
    const answer = expectStatus(yield encodeRequest(request), 200)
    const { access_token: accessToken, id_token: idToken } = JSON.parse(answer.body)
    if (idToken === undefined) throw new Error('no ID token')
    const headers = [`Authorization: Bearer ${accessToken}`]
    expectStatus(yield encodeRequest({ host, path: userinfo, headers }), 200)
  },

  /** Each connection refreshes its own authorization. */
  *refresh({ host, first, form }, _item, connection) {
    const key = `${host} ${connection}`
    const refreshToken = refreshTokens.get(key) ?? first[connection]
    const request = { ...form, grant_type: 'refresh_token', refresh_token: refreshToken }
    const answer = yield encodeRequest({
      host,
      method: 'POST',
      path: '/oauth/token',
      form: request,
    })
    const body = JSON.parse(expectStatus(answer, 200).body)
    if (body.id_token === undefined) throw new Error('no ID token')
    refreshTokens.set(key, body.refresh_token)
  },

  /** Gets a device code. */
  *device({ host, form }) {
    const answer = yield encodeRequest({ host, method: 'POST', path: '/oauth/device', form })
    return JSON.parse(expectStatus(answer, 200).body).device_code
  },

  /** Polls for one of the devices that were started before. */
  *poll({ host, deviceCodes, form }, item) {
    const answer = yield encodeRequest({
      host,
      method: 'POST',
      path: '/oauth/token',
      form: { ...form, device_code: deviceCodes[item] },
    })
    if (!expectStatus(answer, 400).body.includes('authorization_pending')) {
      throw new Error(answer.body)
    }
  },
}
