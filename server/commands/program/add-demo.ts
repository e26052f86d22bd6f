import { Argument, type Command } from 'commander'
import { tryVariants } from '../../contract/words/sandbox.ts'
import type { DemoName, DemoOptions } from '../demo.ts'
import { connected, type Example } from './define.ts'

const ending =
  'Ends with 0 when it was played as asked, also where a refusal was asked for; 1 when it ended otherwise;\n2 for options that do not go together; 130 when it was interrupted.'

export function addDemo(program: Command): void {
  const demo = program
    .command('demo')
    .description('play a client through a whole flow, on a sandbox of its own where none runs')
  const add = (name: DemoName, description: string) =>
    demo
      .command(name)
      .description(description)
      .option('--user <name>', 'who takes part (default: the first who can)')
      .option('--verbose', 'each request and answer as it is on the wire')
      .option('--no-color', 'without colours (also NO_COLOR; none in a pipe)')
  const play = async (name: DemoName, options: DemoOptions, variant?: string) =>
    (await import('../demo.ts')).demo(name, options, variant)
  const finish = (command: Command, examples: readonly Example[]) =>
    connected(command, { json: 'as one JSON document', examples, ending })

  for (const [name, description] of [
    ['sign-in', 'sign in with the authorization code flow and PKCE'],
    ['device', 'sign in on a device without a browser'],
  ] as const) {
    finish(
      add(name, description)
        .option('--yes', 'the sandbox allows it in place of the user')
        .option('--deny', 'the sandbox says no in place of the user')
        .option('--open', 'open the address in the browser')
        .action((options: DemoOptions) => play(name, options)),
      [
        { does: 'all of it, with nobody asked', line: `hub-sandbox demo ${name} --yes` },
        {
          does: 'every request and answer of one that bob refuses',
          line: `hub-sandbox demo ${name} --deny --user bob --verbose`,
        },
      ],
    )
  }
  for (const [name, description] of [
    ['exchange', 'exchange an app’s credentials for a member’s token, and for a stranger’s'],
    ['webhook', 'cause an event and receive it'],
  ] as const) {
    finish(
      add(name, description)
        .option('--yes', 'for scripts: nobody is asked anything here')
        .action((options: DemoOptions) => play(name, options)),
      [{ does: 'a line for each step', line: `hub-sandbox demo ${name}` }],
    )
  }
  finish(
    add('refused', 'make the usual mistakes, and see what the hub says and what mends them')
      .addArgument(new Argument('[mistake]', 'one of them (default: all)').choices(tryVariants))
      .action((variant: string | undefined, options: DemoOptions) =>
        play('refused', options, variant),
      ),
    [{ does: 'a code that is used twice', line: 'hub-sandbox demo refused used-code' }],
  )
}
