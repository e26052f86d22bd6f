import * as fc from 'fast-check'
import { Refusal } from '../../../server/core/refusal.ts'
import {
  isControlPath,
  readAuthority,
} from '../../../server/client/reroute/proxy/proxy-addresses.ts'
import { plainHost, readOrigins } from '../../../server/core/routed-origins.ts'
import { isKnownHost, rootForPrograms } from '../../../server/web/plugins/host-guard.ts'
import { originForm } from '../../../server/web/plugins/absolute-form.ts'
import { isOwnPage } from '../../../server/web/plugins/own-pages.ts'
import { readSignInMark } from '../../../server/hub/pages/sign-in-mark.ts'
import { isLoopbackHost } from '../../../server/core/loopback.ts'
import { readClientCredentials } from '../../../server/hub/oauth/client-authentication.ts'
import { readForm, readFormOrJson } from '../../../server/hub/oauth/forms.ts'
import { createClients } from '../../../server/hub/oauth/metadata-document.ts'
import { registerClient } from '../../../server/hub/oauth/registration.ts'
import { parseScope, requestedScopes } from '../../../server/hub/oauth/scope.ts'
import { createTestDeps } from '../../helpers/deps.ts'
import { isScope } from '../../../server/contract/scopes.ts'
import { json, jsonText, text } from '../inputs.ts'
import { must, refuses, target } from '../target.ts'

const host = text('localhost', '127.0.0.1', '[::1]', '.', ':7420', ':', 'evil.example', '[', ']')
const path = text('/', '_sandbox', '%5f', '%2F', '..', ';', '\\', '?', '#', '//', 'http://h', '%25')
let world: ReturnType<typeof createTestDeps> | undefined

async function refusesLater(reading: () => Promise<unknown>): Promise<void> {
  try {
    await reading()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** Parsers of request headers and client metadata. */
export const oauthTargets = [
  target({
    name: 'host',
    inputs: host,
    check(input) {
      const settings = {
        baseUrl: 'http://localhost:7420',
        backChannelUrl: 'http://host.docker.internal:7420',
        allowHosts: [],
        allowAddressHosts: false,
      }
      rootForPrograms(settings, input)
      if (!isKnownHost(settings, input)) return
      // A page of another name must never pass for one of this machine's.
      const name = /^(.*?)(?::\d*)?$/.exec(input.toLowerCase())?.[1] ?? ''
      must(isLoopbackHost(name) || plainHost(name) === 'host.docker.internal', 'is a stranger')
    },
  }),
  target({
    name: 'origin',
    inputs: fc.record({ host, origin: text('http://', 'https://', 'localhost', 'null', ':7420') }),
    check({ host: name, origin }) {
      const baseUrl = 'https://hub.example'
      // Where browsers have another URL, a forwarder may replace the origin by the one that the sandbox listens on.
      const listening = ['localhost', '127.0.0.1', '[::1]'].map((known) => `${known}:7420`)
      const own = [
        ...[name, ...listening].flatMap((authority) => [
          `http://${authority}`,
          `https://${authority}`,
        ]),
        baseUrl,
      ]
      if (isOwnPage({ baseUrl, port: 7420 }, { host: name, origin }))
        must(own.includes(origin), 'is another origin')
    },
  }),
  target({
    name: 'absolute-form',
    inputs: path,
    check(input) {
      const request = { url: input, headers: { host: 'localhost' } }
      const target = originForm(request)
      if (input.startsWith('/')) must(target === input, 'is another target')
      must(
        originForm({ url: target, headers: { host: request.headers.host } }) === target,
        'is another one the second time',
      )
    },
  }),
  target({
    name: 'control-path',
    inputs: path,
    check(input) {
      const isControl = isControlPath(input)
      // What the server itself leads to the control API must not come through the proxy.
      if (/^\/_sandbox(?:[/?#]|$)/.test(input)) must(isControl, 'comes through')
      const url = `http://hub.example${input.startsWith('/') ? '' : '/'}${input}`
      if (!URL.canParse(url)) return
      const { pathname } = new URL(url)
      if (/^\/_sandbox(?:\/|$)/.test(pathname)) must(isControl, `comes through as ${pathname}`)
    },
  }),
  target({
    name: 'connect-target',
    inputs: fc.oneof(host, text(':443', 'huggingface.co', '[', ']', ':', '@')),
    check(input) {
      const authority = readAuthority(input)
      if (authority === undefined) return
      must(authority.port > 0 && authority.port < 65_536, 'is no port')
      must(!/[\s/@?#]/.test(authority.host), 'is no host')
    },
  }),
  target({
    name: 'intercept',
    inputs: fc.array(text('https://', 'huggingface.co', ':443', '/', '*', 'user:pass@', '?'), {
      maxLength: 3,
    }),
    check(input) {
      const { origins, problems } = readOrigins(input)
      must(origins.length + problems.length === input.length, 'loses one')
      const again = readOrigins(origins.map(({ origin }) => origin))
      must(again.problems.length === 0, `does not take its own: ${again.problems.join()}`)
      must(
        problems.every((problem) => !problem.includes('://user:pass@')),
        'shows a password',
      )
    },
  }),
  target({
    name: 'client-credentials',
    inputs: fc.record({
      authorization: fc.oneof(
        text('Basic ', 'Bearer ', 'YTpi', '=', ':'),
        text('id', ':', '%', '+', 'secret').map(
          (pair) => `Basic ${Buffer.from(pair).toString('base64')}`,
        ),
      ),
      body: fc.record({ client_id: text(), client_secret: text() }, { requiredKeys: [] }),
    }),
    check({ authorization, body }) {
      refuses(Refusal, () => readClientCredentials(authorization, body))
    },
  }),
  target({
    name: 'form',
    inputs: fc.oneof(text('grant_type', '=', '&', '__proto__', '+', '%', 'code', 'resource'), json),
    check(input) {
      const body = typeof input === 'string' ? new URLSearchParams(input) : input
      refuses(Refusal, () => {
        const values = readFormOrJson(body)
        must(
          Object.values(values).every((value) => typeof value === 'string'),
          'is no text',
        )
        must(Object.getPrototypeOf(values) === Object.prototype, 'has another prototype')
      })
      if (typeof input === 'string') refuses(Refusal, () => readForm(body))
    },
  }),
  target({
    name: 'scope',
    inputs: text('openid', 'profile', ' ', 'read-repos', '\t'),
    check(input) {
      const names = parseScope(input)
      must(
        parseScope(names.join(' ')).join(' ') === names.join(' '),
        'is another one once it was written',
      )
      const app = { origin: 'settings' as const, scopes: ['openid', 'profile'] }
      refuses(Refusal, () => {
        const { scopes } = requestedScopes(input, app, { strict: false })
        must(scopes.every(isScope), 'grants a scope that the Hub does not have')
      })
      refuses(Refusal, () => {
        const narrow = requestedScopes(input, app, { strict: true }).scopes
        must(
          narrow.every((name) => app.scopes.includes(name)),
          'is more than the app may',
        )
      })
    },
  }),
  target({
    name: 'sign-in-mark',
    inputs: text('signed_in=', '&', '=', 'client_id'),
    check(input) {
      const { query } = readSignInMark(input)
      must(readSignInMark(query).mark === undefined, 'leaves a mark behind')
    },
  }),
  target({
    name: 'registration',
    inputs: fc.oneof(
      json,
      fc.record(
        {
          redirect_uris: fc.oneof(json, fc.array(text('http://localhost/', 'myapp://', '#'))),
          client_name: fc.oneof(json, text()),
          scope: fc.oneof(json, text('openid', ' ')),
          grant_types: json,
          response_types: json,
          token_endpoint_auth_method: fc.oneof(json, fc.constantFrom('none', 'client_secret_post')),
          client_uri: fc.oneof(json, text('https://')),
          logo_uri: fc.oneof(json, text('https://')),
        },
        { requiredKeys: [] },
      ),
    ),
    async check(input) {
      world ??= createTestDeps()
      const { deps } = await world
      refuses(Refusal, () => registerClient(deps, input))
    },
  }),
  target({
    name: 'metadata-document',
    inputs: fc.record({
      address: fc.oneof(
        fc.constant('https://client.example/oauth'),
        text('https://', 'http://', 'localhost', '/oauth', '..', '#', '?', 'user@'),
      ),
      contentType: text('application/json', ';', 'charset'),
      status: fc.constantFrom(200, 204, 302, 404, 0),
      body: fc.oneof(
        jsonText,
        fc
          .record(
            {
              client_id: fc.constant('https://client.example/oauth'),
              redirect_uris: fc.oneof(json, fc.array(text('https://client.example/', 'http://'))),
              client_name: json,
              scope: json,
              grant_types: json,
            },
            { requiredKeys: ['client_id'] },
          )
          .map((document) => JSON.stringify(document)),
      ),
    }),
    async check({ address, ...document }) {
      world ??= createTestDeps()
      const { deps } = await world
      const clients = createClients({ ...deps, fetchDocument: async () => document })
      await refusesLater(async () => clients.findOrFetch(address, 'https://client.example/x'))
      await refusesLater(async () => clients.findKnown(address))
      deps.state.apps.delete(address)
    },
  }),
]
