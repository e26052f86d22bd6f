import type { Command } from 'commander'

/** Adds the match options of faults and barriers. */
export function matchOptions(command: Command): Command {
  return command
    .option('--route <path>', 'Match requests to this path; * = anything')
    .option('--method <method>', 'Match requests with this method')
    .option('--grant-type <type>', 'Match token requests of this grant type')
    .option('--client <id>', 'Match requests of this app: client id or name')
}
