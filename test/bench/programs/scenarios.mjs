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

/** @param {RawResponse} response */
function locationOf({ head }) {
  return /\r\nlocation: (\S+)/i.exec(head)?.[1]
}

/** @param {string} text */
const decodeHtml = (text) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/**
 * @param {string} html
 * @returns {{ path: string | undefined, form: Record<string, string> } | undefined} hidden fields of the first form
 */
function formOf(html) {
  const [, attributes = '', content = ''] = /<form([^>]*)>(.*?)<\/form>/s.exec(html) ?? []
  if (content === '') return undefined
  const action = / action="([^"]*)"/.exec(attributes)?.[1]
  const hidden = content.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  return {
    path: action === undefined ? undefined : decodeHtml(action),
    form: Object.fromEntries(
      Array.from(hidden, ([, name = '', value = '']) => [name, decodeHtml(value)]),
    ),
  }
}

/**
 * Follows redirects and submits forms as a browser does, until the app is reached.
 * @param {{ host: string, authorize: string, cookie?: string, answers?: Record<string, string> }} input
 * @returns {Generator<string, string, RawResponse>} the code
 */
function* browse({ host, authorize, cookie, answers }) {
  /** @type {Map<string, string>} */
  const cookies = new Map(cookie === undefined ? [] : [splitCookie(cookie)])
  /** @type {{ method?: string, path: string, form?: Record<string, string> }} */
  let request = { path: authorize }
  for (;;) {
    const headers = [`Origin: http://${host}`]
    if (cookies.size > 0) {
      headers.push(`Cookie: ${Array.from(cookies, (pair) => pair.join('=')).join('; ')}`)
    }
    const response = yield encodeRequest({ host, ...request, headers })
    for (const [, set = ''] of response.head.matchAll(/\r\nset-cookie: ([^;\r]+)/gi)) {
      cookies.set(...splitCookie(set))
    }
    const location = locationOf(response)
    if (location === undefined) {
      const found = formOf(expectStatus(response, 200).body)
      if (found === undefined) throw new Error(`a page without form: ${response.body}`)
      const path = pathOf(found.path ?? request.path, host)
      request = { method: 'POST', path, form: { ...found.form, ...answers } }
      continue
    }
    const url = new URL(location, `http://${host}`)
    const code = url.searchParams.get('code')
    if (code !== null) return code
    if (url.host !== host) throw new Error(`no code in ${location}`)
    request = { path: pathOf(location, host) }
  }
}

/**
 * @param {string} cookie
 * @returns {[name: string, value: string]}
 */
function splitCookie(cookie) {
  const equals = cookie.indexOf('=')
  return [cookie.slice(0, equals), cookie.slice(equals + 1)]
}

/**
 * @param {string} address
 * @param {string} host
 */
function pathOf(address, host) {
  const { pathname, search } = new URL(address, `http://${host}`)
  return pathname + search
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
    const location = locationOf(yield request.encoded) ?? request.path
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

  /** Signs a user in to an app: pages, code, tokens, userinfo. @returns the refresh token */
  *signIn({ token, userinfo, form, ...page }) {
    const { host } = page
    const code = yield* browse(page)
    const response = expectStatus(
      yield encodeRequest({ host, method: 'POST', path: token, form: { ...form, code } }),
      200,
    )
    const tokens = JSON.parse(response.body)
    if (tokens.id_token === undefined) throw new Error('no ID token')
    const headers = [`Authorization: Bearer ${tokens.access_token}`]
    expectStatus(yield encodeRequest({ host, path: userinfo, headers }), 200)
    return tokens.refresh_token
  },

  /** Refreshes the authorization of the connection. */
  *refresh({ host, first, token, form }, _item, connection) {
    const key = `${host} ${connection}`
    const refreshToken = refreshTokens.get(key) ?? first[connection]
    const request = { ...form, grant_type: 'refresh_token', refresh_token: refreshToken }
    const response = yield encodeRequest({ host, method: 'POST', path: token, form: request })
    const body = JSON.parse(expectStatus(response, 200).body)
    if (body.id_token === undefined) throw new Error('no ID token')
    refreshTokens.set(key, body.refresh_token)
  },
}
