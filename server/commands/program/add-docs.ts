import type { Command } from 'commander'
import { documented } from './define.ts'

export function addDocs(program: Command): void {
  documented(
    program
      .command('docs')
      .argument('[page]', 'Name of a page (default: list all pages)')
      .description('Print a page of the documentation')
      .action(async (page: string | undefined, options: { json?: boolean }) =>
        (await import('../docs.ts')).docs(page, options),
      ),
    {
      json: 'Print JSON',
      examples: [
        { does: 'List the pages', line: 'hub-sandbox docs' },
        { does: 'Read how to test a Python app', line: 'hub-sandbox docs python' },
      ],
      ending: 'Exits with 2 if there is no such page.',
    },
  )
}
