import type { Decision } from '../../contract/words/oauth-words.ts'
import { call } from '../program/call.ts'
import { group, type Row } from '../program/row.ts'
import { organization } from './shared.ts'

export const device = group('device', 'List, approve or deny device codes', [
  call('GET device', {
    name: 'list',
    does: 'List device codes (default)',
    isDefault: true,
    query: { limit: 1000 },
    columns: ({ userCode, app, status, user, expiresAt }) => [
      userCode,
      status,
      user?.username ?? '',
      `until ${expiresAt}`,
      app.name,
    ],
    none: { text: 'No device codes. Run a demo:', next: ['demo', 'device', '--yes'] },
    examples: { 'List device codes, newest first': 'hub-sandbox device' },
  }),
  decide('approve', 'Approve a device as a user', 'Approve the newest device code as bob'),
  decide('deny', 'Deny a device as a user', 'Deny the newest device code as bob'),
])

function decide(decision: Decision, does: string, example: string): Row {
  return call('POST device/:userCode', {
    name: `${decision} <code>`,
    does,
    arguments: { code: { help: 'Code shown by the device, or "latest"', of: 'pending code' } },
    options: {
      '--user <name>': {
        help: 'User who decides (default: the first user)',
        of: 'user',
        otherwise: 'first user',
      },
      '--organization <name>': { ...organization, to: 'organizations' },
    },
    body: { decision },
    show: ({ status }) => status,
    examples: { [example]: `hub-sandbox device ${decision} latest --user bob` },
  })
}
