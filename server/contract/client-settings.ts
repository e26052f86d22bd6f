import { dotenvLine } from './dotenv.ts'

/** What client programs read from their environment, in the order in which it is shown. */
export interface ClientVariables extends Readonly<Record<string, string>> {
  readonly HF_ENDPOINT: string
}

/**
 * What a client program must set to use a sandbox.
 * @param app the one that signs in; absent = none
 * @param space the Space that the program takes itself for
 * @param certificatePath of a sandbox that answers by HTTPS
 * @param caches variables that name folders for cached files
 */
export function clientVariables({
  url,
  app,
  space,
  certificatePath,
  caches,
}: {
  url: string
  app?:
    | { clientId: string; clientSecret?: string | undefined; scopes: readonly string[] }
    | undefined
  space?: string | undefined
  certificatePath?: string | undefined
  caches?: Readonly<Record<string, string>> | undefined
}): ClientVariables {
  return {
    HF_ENDPOINT: url,
    // The sandbox stores files itself; large ones would go around HF_ENDPOINT otherwise.
    HF_HUB_DISABLE_XET: '1',
    OPENID_PROVIDER_URL: url,
    ...(app === undefined
      ? {}
      : {
          OAUTH_CLIENT_ID: app.clientId,
          ...(app.clientSecret === undefined ? {} : { OAUTH_CLIENT_SECRET: app.clientSecret }),
          OAUTH_SCOPES: app.scopes.join(' '),
        }),
    // Programs of a Space ask for both to know that they are one.
    ...(space === undefined ? {} : { SYSTEM: 'spaces', SPACE_ID: space }),
    ...(certificatePath === undefined
      ? {}
      : { NODE_EXTRA_CA_CERTS: certificatePath, SSL_CERT_FILE: certificatePath }),
    ...caches,
  }
}

/** Programs whose settings are shown; the first word that `env --for` takes. */
export const settingsClients = [
  'huggingface.js',
  'python',
  'openid-client',
  'mcp',
  'gradio',
  'curl',
] as const
export type SettingsClient = (typeof settingsClients)[number]

export const settingsClientNames: Readonly<Record<SettingsClient, string>> = {
  'huggingface.js': 'huggingface.js',
  python: 'huggingface_hub',
  'openid-client': 'openid-client',
  mcp: 'MCP client',
  gradio: 'Gradio Space',
  curl: 'curl',
}

/**
 * How one client is pointed at a sandbox, as text to be pasted.
 * @param variables those of {@link clientVariables}
 * @param tokenCommand what a shell calls for a token, such as `npx --no hub-sandbox token`
 * @param issuer where that is another address than the one the client is pointed at
 */
export function clientSettings(
  client: SettingsClient,
  variables: Readonly<Record<string, string>>,
  tokenCommand: string,
  issuer?: string,
): string {
  const url = variables['HF_ENDPOINT'] ?? ''
  return settings[client](
    {
      url,
      hasOtherIssuer: issuer !== undefined && issuer !== url,
      clientId: variables['OAUTH_CLIENT_ID'] ?? 'CLIENT_ID',
      clientSecret: variables['OAUTH_CLIENT_SECRET'],
      scopes: variables['OAUTH_SCOPES'] ?? 'openid profile',
      certificatePath: variables['SSL_CERT_FILE'],
      variables,
    },
    tokenCommand,
  ).join('\n')
}

interface Values {
  url: string
  hasOtherIssuer: boolean
  clientId: string
  clientSecret: string | undefined
  scopes: string
  /** Of a sandbox that answers by HTTPS. */
  certificatePath: string | undefined
  variables: Readonly<Record<string, string>>
}

const settings: Readonly<
  Record<SettingsClient, (values: Values, tokenCommand: string) => readonly string[]>
> = {
  'huggingface.js': ({ url, certificatePath }) => [
    ...trustOfNode(certificatePath),
    "import { whoAmI } from '@huggingface/hub'",
    '',
    `const hubUrl = ${quote(url)}`,
    'const accessToken = process.env.HF_TOKEN',
    'console.log(await whoAmI({ hubUrl, accessToken }))',
  ],
  python: ({ url, certificatePath, variables }) => [
    'import os',
    '',
    '# Before the library is imported: it reads them once.',
    `os.environ['HF_ENDPOINT'] = ${quote(url)}`,
    "os.environ['HF_HUB_DISABLE_XET'] = '1'",
    // HF_HUB_CACHE and the like: without them the library uses the cache that it shares with the real Hub.
    ...Object.entries(variables)
      .filter(([name]) => name.endsWith('_CACHE'))
      .map(([name, folder]) => `os.environ['${name}'] = ${quote(folder)}`),
    // The second one is for a library that asks by requests, as those before 1.0 do.
    ...(certificatePath === undefined
      ? []
      : ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE'].map(
          (name) => `os.environ['${name}'] = ${quote(certificatePath)}`,
        )),
    '',
    'from huggingface_hub import HfApi',
    '',
    "print(HfApi(token=os.environ['HF_TOKEN']).whoami())",
  ],
  'openid-client': ({ url, hasOtherIssuer, clientId, clientSecret, scopes, certificatePath }) => [
    ...trustOfNode(certificatePath),
    "import * as client from 'openid-client'",
    '',
    ...(hasOtherIssuer ? configurationFrom(url) : discoveryAt(url)),
    `  ${quote(clientId)},`,
    `  ${clientSecret === undefined ? 'undefined' : quote(clientSecret)},`,
    `  ${clientSecret === undefined ? 'client.None()' : 'undefined'},`,
    // Only where it is needed: it would hide a mistake in a real configuration.
    ...(url.startsWith('https:') || hasOtherIssuer
      ? []
      : ['  { execute: [client.allowInsecureRequests] },']),
    ')',
    ...(hasOtherIssuer && !url.startsWith('https:')
      ? ['client.allowInsecureRequests(config)']
      : []),
    'const signIn = client.buildAuthorizationUrl(config, {',
    "  redirect_uri: 'http://localhost:3000/callback',",
    `  scope: ${quote(scopes)},`,
    '})',
    'console.log(signIn.href)',
  ],
  mcp: ({ url, certificatePath }) => [
    ...trustOfNode(certificatePath),
    "import { auth } from '@modelcontextprotocol/sdk/client/auth.js'",
    '',
    '// Your OAuthClientProvider: it registers by itself, or by its metadata document.',
    `await auth(provider, { serverUrl: ${quote(url)}, scope: 'openid profile' })`,
  ],
  gradio: ({ variables }) => [
    '# .env of the Space; gr.LoginButton then signs in here.',
    ...Object.entries({ SYSTEM: 'spaces', SPACE_ID: 'alice/my-space', ...variables }).map(
      ([name, value]) => dotenvLine(name, value),
    ),
  ],
  curl: ({ url, certificatePath }, tokenCommand) => [
    `HF_TOKEN="$(${tokenCommand})"`,
    `curl ${certificatePath === undefined ? '' : `--cacert ${shellQuote(certificatePath)} `}${shellQuote(`${url}/api/whoami-v2`)} -H "Authorization: Bearer $HF_TOKEN"`,
  ],
}

/** Node reads it once, before any line of a program. */
function trustOfNode(certificatePath: string | undefined): readonly string[] {
  if (certificatePath === undefined) return []
  return [
    '// Node trusts the sandbox when it is started with',
    `// NODE_EXTRA_CA_CERTS=${shellQuote(certificatePath)}`,
    '',
  ]
}

function discoveryAt(url: string): readonly string[] {
  return ['const config = await client.discovery(', `  new URL(${quote(url)}),`]
}

/** Discovery refuses metadata of another issuer than the address it was asked at (RFC 8414 §3.3). */
function configurationFrom(url: string): readonly string[] {
  const address = `${url}/.well-known/openid-configuration`
  return [
    `const metadata = await (await fetch(${quote(address)})).json()`,
    'const config = new client.Configuration(',
    '  metadata,',
  ]
}

/** A text of JavaScript and of Python alike. */
function quote(text: string): string {
  return `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`
}

function shellQuote(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
