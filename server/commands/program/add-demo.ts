import { Argument, type Command } from 'commander'
import { demoVariants } from '../../contract/words/sandbox.ts'
import type { DemoName, DemoOptions } from '../demo.ts'
import { connected, type Example } from './define.ts'

const ending = [
  'Uses a temporary sandbox if none is running.',
  'Exit codes: 0 ended as requested (including a requested refusal); 1 ended otherwise; 2 invalid usage; 130 interrupted.',
].join('\n')

export function addDemo(program: Command): void {
  const demo = program.command('demo').description('Run a whole flow step by step')
  const add = (name: DemoName, description: string) =>
    demo
      .command(name)
      .description(description)
      .option('--user <name>', 'User who takes part (default: first matching user)')
      .option('--verbose', 'Print every request and response')
      .option('--no-color', 'Disable colors (also NO_COLOR; off in a pipe)')
  const play = async (name: DemoName, options: DemoOptions, variant?: string) =>
    (await import('../demo.ts')).demo(name, options, variant)
  const finish = (command: Command, examples: readonly Example[]) =>
    connected(command, { json: 'Print one JSON document', examples, ending })

  for (const [name, description, where] of [
    ['sign-in', 'Sign in with an authorization code and PKCE', ''],
    ['device', 'Sign in on a device without a browser', ' on a device'],
  ] as const) {
    finish(
      add(name, description)
        .option('--yes', 'Approve automatically')
        .option('--deny', 'Deny automatically')
        .option('--open', 'Open the URL in the browser')
        .action((options: DemoOptions) => play(name, options)),
      [
        {
          does: `Sign in${where} without a question`,
          line: `hub-sandbox demo ${name} --yes`,
        },
        {
          does: `Deny${where} as bob and print every request and response`,
          line: `hub-sandbox demo ${name} --deny --user bob --verbose`,
        },
      ],
    )
  }
  for (const [name, description, does] of [
    [
      'exchange',
      'Exchange app credentials for tokens of members',
      'Exchange the credentials of an app',
    ],
    ['refresh', 'Sign in, then exchange the refresh token for new tokens', 'Use a refresh token'],
    ['step-up', 'Ask for a further scope after the API refused the token', 'Add a scope'],
    ['silent', 'Sign in again without a page (prompt=none)', 'Sign in without a page'],
    ['webhook', 'Trigger an event and receive its delivery', 'Send and receive a delivery'],
  ] as const) {
    finish(
      add(name, description)
        .option('--yes', 'No effect: this demo asks no questions')
        .action((options: DemoOptions) => play(name, options)),
      [{ does, line: `hub-sandbox demo ${name}` }],
    )
  }
  finish(
    add('refused', 'Make common mistakes; show the errors and the fixes')
      .addArgument(
        new Argument('[mistake]', 'Mistake to make (default: all)').choices(demoVariants),
      )
      .action((variant: string | undefined, options: DemoOptions) =>
        play('refused', options, variant),
      ),
    [{ does: 'Use an authorization code twice', line: 'hub-sandbox demo refused used-code' }],
  )
}
