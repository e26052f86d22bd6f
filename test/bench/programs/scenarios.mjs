// Scenarios of the load generator: each yields the requests of one item in order.

/** @typedef {import('./load.mjs').Flow} Flow */
/** @typedef {import('./load.mjs').RawResponse} RawResponse */

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
 * @param {RawResponse} response
 * @param {number} status
 */
function expectStatus(response, status) {
  if (response.status !== status)
    throw new Error(`expected ${status}: ${response.head.split('\r\n', 1)[0]} ${response.body}`)
  return response
}

/**
 * @param {RawResponse} response
 * @returns {string}
 */
function codeOf(response) {
  if (response.status !== 302) expectStatus(response, 303)
  const location = /\r\nlocation: (\S+)/i.exec(response.head)?.[1] ?? ''
  const code = new URL(location).searchParams.get('code')
  if (code === null) throw new Error(`no code in ${location}`)
  return code
}

/** @type {Map<string, string>} latest refresh token of each connection to each server */
const refreshTokens = new Map()

/** @satisfies {Record<string, (input: any, item: number, connection: number) => Flow>} */
export const scenarios = {
  /** Sends the same request each time. */
  *same({ host, request, status = 200 }) {
    // Kept between items: encoding costs more than sending.
    request.encoded ??= encodeRequest({ host, ...request })
    expectStatus(yield request.encoded, status)
  },

  /** Sends two requests: the second one follows the redirect of the first, or repeats it. */
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
  *commit({ host, path, headers }, file) {
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

  /** Requests a code with the cookie of the user, as programs do. */
  *code({ host, query, cookie }) {
    const path = `/oauth/authorize?${query}`
    const headers = [`Cookie: ${cookie}`]
    return codeOf(yield encodeRequest({ host, method: 'POST', path, headers }))
  },

  /** Signs a user in to an app: consent page, approval, tokens, userinfo. */
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
    const response = expectStatus(
      yield encodeRequest({ host, method: 'POST', path: '/oauth/token', form: { ...form, code } }),
      200,
    )
    const { access_token: accessToken, id_token: idToken } = JSON.parse(response.body)
    if (idToken === undefined) throw new Error('no ID token')
    const authorization = `Authorization: Bearer ${accessToken}`
    expectStatus(
      yield encodeRequest({ host, path: '/oauth/userinfo', headers: [authorization] }),
      200,
    )
  },

  /** Signs a user in at a provider without consent page: code, tokens, userinfo. */
  *unaskedSignIn({ host, authorize, token, userinfo, form }) {
    const code = codeOf(yield encodeRequest({ host, path: authorize }))
    const request = { host, method: 'POST', path: token, form: { ...form, code } }
    const response = expectStatus(yield encodeRequest(request), 200)
    const { access_token: accessToken, id_token: idToken } = JSON.parse(response.body)
    if (idToken === undefined) throw new Error('no ID token')
    const headers = [`Authorization: Bearer ${accessToken}`]
    expectStatus(yield encodeRequest({ host, path: userinfo, headers }), 200)
  },

  /** Refreshes the authorization of the connection. */
  *refresh({ host, first, form }, _item, connection) {
    const key = `${host} ${connection}`
    const refreshToken = refreshTokens.get(key) ?? first[connection]
    const request = { ...form, grant_type: 'refresh_token', refresh_token: refreshToken }
    const response = yield encodeRequest({
      host,
      method: 'POST',
      path: '/oauth/token',
      form: request,
    })
    const body = JSON.parse(expectStatus(response, 200).body)
    if (body.id_token === undefined) throw new Error('no ID token')
    refreshTokens.set(key, body.refresh_token)
  },
}
