import { demoVariants } from '../../contract/words/sandbox-words.ts'
import type { DemoName, DemoOptions } from '../demo.ts'
import { group, type Row } from '../program/row.ts'
import { noColor } from './shared.ts'

export const demo = group('demo', 'Run a whole flow step by step', [
  browserDemo('sign-in', 'Sign in with an authorization code and PKCE', ''),
  browserDemo('device', 'Sign in on a device without a browser', ' on a device'),
  quietDemo(
    'exchange',
    'Exchange app credentials for tokens of members',
    'Exchange the credentials of an app',
  ),
  quietDemo(
    'refresh',
    'Sign in, then exchange the refresh token for new tokens',
    'Use a refresh token',
  ),
  quietDemo('step-up', 'Ask for a further scope after the API refused the token', 'Add a scope'),
  quietDemo('silent', 'Sign in again without a page (prompt=none)', 'Sign in without a page'),
  quietDemo('webhook', 'Trigger an event and receive its delivery', 'Send and receive a delivery'),
  {
    ...demoRow('refused', 'Make common mistakes; show the errors and the fixes', {}),
    name: 'refused [mistake]',
    arguments: {
      mistake: { help: 'Mistake to make (default: all)', choices: demoVariants },
    },
    load: async () => {
      const { demo } = await import('../demo.ts')
      return (mistake: string | undefined, options: DemoOptions) =>
        demo('refused', options, mistake)
    },
    examples: { 'Use an authorization code twice': 'hub-sandbox demo refused used-code' },
  },
])

/** Demo in which the user decides, in a browser unless an option does. */
function browserDemo(name: DemoName, does: string, where: string): Row {
  return {
    ...demoRow(name, does, {
      '--yes': 'Approve automatically',
      '--deny': 'Deny automatically',
      '--open': 'Open the URL in the browser',
    }),
    examples: {
      [`Sign in${where} without a question`]: `hub-sandbox demo ${name} --yes`,
      [`Deny${where} as bob and print every request and response`]: `hub-sandbox demo ${name} --deny --user bob --verbose`,
    },
  }
}

function quietDemo(name: DemoName, does: string, example: string): Row {
  return {
    ...demoRow(name, does, { '--yes': 'No effect: this demo asks no questions' }),
    examples: { [example]: `hub-sandbox demo ${name}` },
  }
}

function demoRow(name: DemoName, does: string, options: Row['options']): Omit<Row, 'examples'> {
  return {
    name,
    does,
    options: {
      '--user <name>': { help: 'User who takes part (default: first matching user)', of: 'user' },
      '--verbose': 'Print every request and response',
      '--no-color': noColor,
      ...options,
    },
    load: async () => {
      const { demo } = await import('../demo.ts')
      return (given: DemoOptions) => demo(name, given)
    },
    json: 'Print one JSON document',
    ending:
      'Uses a temporary sandbox if none is running.\nExit codes: 0 ended as requested (including a requested refusal); 1 ended otherwise; 2 invalid usage; 130 interrupted.',
  }
}
