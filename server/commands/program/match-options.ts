import type { Command } from 'commander'

/** What a rule concerns, of faults and barriers alike. */
export function matchOptions(command: Command): Command {
  return command
    .option('--route <path>', 'requests to this path; * stands for anything')
    .option('--method <method>', 'requests with this method')
    .option('--grant-type <type>', 'token requests of this grant type')
    .option('--client <id>', 'requests of this app')
}
