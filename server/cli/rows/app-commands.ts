import { cookieModes } from '../../contract/words/frame-words.ts'
import { group, type Row } from '../program/row.ts'
import { organization } from './shared.ts'

export const authorize: Row = {
  name: 'authorize <url>',
  does: 'Sign a user in to an app without a browser',
  arguments: { url: 'Authorization URL to which the app redirects the user' },
  options: {
    '--user <name>': { help: 'User to sign in (default: the first user)', of: 'user' },
    '--deny': 'Deny the request',
    '--organization <name>': organization,
  },
  load: async () => (await import('../authorize.ts')).authorize,
  json: 'Print the response as JSON: redirectTo',
  examples: {
    'Print the callback URL with the code, for bob':
      'hub-sandbox authorize "$LOGIN_URL" --user bob',
    'Deny: the callback URL has error=access_denied': 'hub-sandbox authorize "$LOGIN_URL" --deny',
  },
}

export const spaceFrame: Row = {
  name: 'space-frame <url>',
  does: 'Show an app in a cross-site frame, as the Hub does',
  options: {
    '--space <name>': { help: 'Space that the app is', of: 'space' },
    '--mode <mode>': `Rules for cookies: ${cookieModes.join(', ')}`,
    '--frame-port <port>': 'Port of the frame (default: any free port)',
    '--open': 'Open the page in the browser',
  },
  load: async () => (await import('../space-frame.ts')).spaceFrame,
  json: 'Print a line of JSON for the frame and for each verdict on a cookie',
  examples: {
    'Frame the app on port 7860 until Ctrl-C': {
      endless: 'hub-sandbox space-frame localhost:7860',
    },
    'Try it where browsers block third-party cookies': {
      endless: 'hub-sandbox space-frame localhost:7860 --mode partitioned',
    },
  },
  ending: 'Exit codes: 0 after Ctrl-C or when the frame is closed; 1 connection lost.',
}

export const cimd = group('cimd', 'Serve a client metadata document', [
  {
    name: 'serve <file>',
    does: 'Serve a file and check it at each change',
    arguments: { file: 'JSON file with the document' },
    options: { '--at <url>': 'URL of the document (default: its client_id)' },
    load: async () => (await import('../cimd.ts')).serveDocument,
    json: 'Print a line of JSON for each check',
    examples: {
      'Serve a document without a web site until Ctrl-C': {
        endless: 'hub-sandbox cimd serve client.json',
      },
      'Serve it at the URL of the deployed client': {
        endless:
          'hub-sandbox cimd serve client.json --at https://client.example/.well-known/oauth-cimd',
      },
    },
    ending:
      'Prints each problem with its line and column, and the URL to use as client_id. Exit codes: 0 after Ctrl-C; 1 no sandbox, or connection lost; 2 the file cannot be read.',
  },
])
