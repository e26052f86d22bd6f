import type { Command } from 'commander'
import type { RunOptions } from '../experiments.ts'
import type { ControlOptions } from '../read-options.ts'
import { connected } from './define.ts'

const codes = 'Exits with 0 if it is passed, with 1 for any other verdict or none in time.'

export function addExperiment(program: Command): void {
  const experiment = program
    .command('experiment')
    .description('Judge what an app or a receiver does after a fault')
  connected(
    experiment
      .command('list', { isDefault: true })
      .description('List experiments with their verdicts (default)')
      .action(async (options: ControlOptions) =>
        (await import('../experiments.ts')).listExperiments(options),
      ),
    {
      json: 'Print the items as JSON',
      examples: [{ does: 'List all experiments', line: 'hub-sandbox experiment' }],
    },
  )
  connected(
    experiment
      .command('run')
      .description('Run an experiment and print its verdict')
      .argument('<id>', 'Experiment, such as nonce')
      .option('--client <id>', 'App to judge, by client id or name (default: any)')
      .option('--webhook <id>', 'Webhook to judge (default: the last one used)')
      .option('--play', 'Let the demo app of the sandbox play the app')
      .option('--timeout <seconds>', 'Time to wait for the app (default: 60)')
      .action(async (id: string, options: RunOptions) =>
        (await import('../experiments.ts')).runExperiment(id, options),
      ),
    {
      json: 'Print the experiment as JSON',
      examples: [
        {
          does: 'Let the demo app meet an ID token with another nonce',
          line: 'hub-sandbox experiment run nonce --play',
        },
      ],
      ending: `Then sign in with your app. ${codes}`,
    },
  )
  connected(
    experiment
      .command('verdict')
      .description('Print the verdict of the last run')
      .argument('<id>', 'Experiment, such as nonce')
      .action(async (id: string, options: ControlOptions) =>
        (await import('../experiments.ts')).showVerdict(id, options),
      ),
    {
      json: 'Print the experiment as JSON',
      examples: [
        { does: 'Print the verdict of a run', line: 'hub-sandbox experiment verdict nonce' },
      ],
      ending: codes,
    },
  )
  connected(
    experiment
      .command('stop')
      .description('Stop an experiment and forget its verdict')
      .argument('<id>', 'Experiment, such as nonce')
      .action(async (id: string, options: ControlOptions) =>
        (await import('../experiments.ts')).stopExperiment(id, options),
      ),
    {
      examples: [{ does: 'Return to normal responses', line: 'hub-sandbox experiment stop nonce' }],
    },
  )
}
