import { javaToolOptions } from './java-options.ts'
import { dotenvLine } from './dotenv.ts'
import type { LargeFileWay } from './words/hub-words.ts'

/** Environment variables of client programs, in display order. */
export interface ClientVariables extends Readonly<Record<string, string>> {
  readonly HF_ENDPOINT: string
}

/**
 * Returns the environment variables that a client program needs to use a sandbox.
 * @param app OAuth app that signs in; absent = none
 * @param space Space that the program pretends to be
 * @param spaceVariables further variables that the Hub sets for this Space
 * @param certificatePath certificate of an HTTPS sandbox
 * @param caches variables that name folders for cached files
 * @param largeFiles how the sandbox receives large files
 */
export function clientVariables({
  url,
  app,
  space,
  spaceVariables,
  certificatePath,
  caches,
  largeFiles = 'xet',
}: {
  url: string
  largeFiles?: LargeFileWay
  app?:
    | { clientId: string; clientSecret?: string | undefined; scopes: readonly string[] }
    | undefined
  space?: string | undefined
  spaceVariables?: Readonly<Record<string, string>> | undefined
  certificatePath?: string | undefined
  caches?: Readonly<Record<string, string>> | undefined
}): ClientVariables {
  return {
    HF_ENDPOINT: url,
    // Clients cannot see that a hub has no Xet storage.
    ...(largeFiles === 'lfs' ? { HF_HUB_DISABLE_XET: '1' } : {}),
    OPENID_PROVIDER_URL: url,
    // requests-oauthlib and others refuse plain HTTP, even on this machine.
    ...(url.startsWith('http:') ? { OAUTHLIB_INSECURE_TRANSPORT: '1' } : {}),
    ...(app === undefined
      ? {}
      : {
          OAUTH_CLIENT_ID: app.clientId,
          ...(app.clientSecret === undefined ? {} : { OAUTH_CLIENT_SECRET: app.clientSecret }),
          OAUTH_SCOPES: app.scopes.join(' '),
        }),
    // Programs check both to detect that they run in a Space.
    ...(space === undefined ? {} : { SYSTEM: 'spaces', SPACE_ID: space, ...spaceVariables }),
    ...(certificatePath === undefined
      ? {}
      : {
          NODE_EXTRA_CA_CERTS: certificatePath,
          SSL_CERT_FILE: certificatePath,
          JAVA_TOOL_OPTIONS: javaToolOptions(undefined, {
            'javax.net.ssl.trustStore': trustStoreOf(certificatePath),
          }),
        }),
    ...caches,
  }
}

/** Returns the path of the Java trust store beside a certificate. */
export function trustStoreOf(certificatePath: string): string {
  return certificatePath.replace(/\.pem$/, '.jks')
}

/**
 * Returns variables with which a client reaches no Hub at all. A caller that ignores the exit code of `env` would use the
 * real Hub without them. The host name says why requests fail; it never resolves (RFC 6761 §6.4).
 */
export function unusableVariables(): ClientVariables {
  const url = 'http://hub-sandbox-env-failed.invalid'
  return { HF_ENDPOINT: url, OPENID_PROVIDER_URL: url }
}

/** Programs with a settings snippet: the values of `env --for`. */
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
 * Returns the settings of a client for a sandbox, as text to paste.
 * @param variables from {@link clientVariables}
 * @param tokenCommand shell command that prints a token, such as `npx --no hub-sandbox token`
 * @param issuer issuer, if it differs from the URL that the client uses
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
  /** Certificate of an HTTPS sandbox. */
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
  python: ({ url, certificatePath, variables }, tokenCommand) => [
    '# Install: pip install huggingface_hub',
    'import os',
    'import subprocess',
    '',
    '# Before the library is imported: it reads them once.',
    `os.environ['HF_ENDPOINT'] = ${quote(url)}`,
    // Without HF_HUB_CACHE and the like the library would use the cache of the real Hub.
    ...Object.entries(variables)
      .filter(([name]) => name.endsWith('_CACHE') || name === 'HF_HUB_DISABLE_XET')
      .map(([name, folder]) => `os.environ['${name}'] = ${quote(folder)}`),
    // The second one is for library versions before 1.0, which use requests.
    ...(certificatePath === undefined
      ? []
      : ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE'].map(
          (name) => `os.environ['${name}'] = ${quote(certificatePath)}`,
        )),
    '',
    'from huggingface_hub import HfApi',
    '',
    `command = ${quote(tokenCommand)}`,
    "token = os.environ.get('HF_TOKEN')",
    'if token is None:',
    '    token = subprocess.check_output(command, shell=True, text=True).strip()',
    'print(HfApi(token=token).whoami())',
  ],
  'openid-client': ({ url, hasOtherIssuer, clientId, clientSecret, scopes, certificatePath }) => [
    '// Save it as sign-in.mjs. Install: npm install openid-client',
    ...trustOfNode(certificatePath),
    "import * as client from 'openid-client'",
    '',
    ...(hasOtherIssuer ? configurationFrom(url) : discoveryAt(url)),
    `  ${quote(clientId)},`,
    `  ${clientSecret === undefined ? 'undefined' : quote(clientSecret)},`,
    `  ${clientSecret === undefined ? 'client.None()' : 'undefined'},`,
    // Only if needed: it would hide a mistake in a real configuration.
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
    '// Save it as sign-in.mjs. Install: npm install @modelcontextprotocol/sdk',
    "import { auth } from '@modelcontextprotocol/sdk/client/auth.js'",
    '',
    "const redirectUrl = 'http://127.0.0.1:3000/callback'",
    'const kept = {}',
    '// It registers by itself. Replace the functions by those of your client.',
    'const provider = {',
    '  redirectUrl,',
    '  clientMetadata: {',
    "    client_name: 'My client',",
    '    redirect_uris: [redirectUrl],',
    "    token_endpoint_auth_method: 'none',",
    '  },',
    '  clientInformation: () => kept.client,',
    '  saveClientInformation: (client) => void (kept.client = client),',
    '  tokens: () => kept.tokens,',
    '  saveTokens: (tokens) => void (kept.tokens = tokens),',
    '  codeVerifier: () => kept.verifier,',
    '  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),',
    '  redirectToAuthorization: (url) => console.log(`Open ${url}`),',
    '}',
    `const serverUrl = ${quote(`${url}/mcp`)}`,
    "await auth(provider, { serverUrl, scope: 'openid profile' })",
    '// With the code of the callback: await auth(provider, { serverUrl, authorizationCode })',
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

/** Node reads it once, before the program starts. */
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

/** Discovery refuses metadata whose issuer differs from the requested URL (RFC 8414 §3.3). */
function configurationFrom(url: string): readonly string[] {
  const address = `${url}/.well-known/openid-configuration`
  return [
    `const metadata = await (await fetch(${quote(address)})).json()`,
    'const config = new client.Configuration(',
    '  metadata,',
  ]
}

/** String literal that is valid in JavaScript and Python. */
function quote(text: string): string {
  return `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`
}

function shellQuote(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
