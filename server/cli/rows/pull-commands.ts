import type { Row } from '../program/row.ts'

export const pull: Row = {
  name: 'pull [repo...]',
  does: 'Copy public repos of the real Hub into the fixtures file',
  arguments: {
    repo: 'org/name of a model, datasets/org/name, spaces/org/name, or the URL of its page',
  },
  options: {
    '--revision <revision>': 'Branch, tag or commit (default: main)',
    '--files <pattern>': {
      help: 'Only files whose path fits, * = anything, and the README; can be repeated',
      repeatable: true,
    },
    '--max-file <size>':
      'Size above which a file becomes a stand-in of the same size, such as 5MB (default: 1MB)',
    '--out <file>': 'Fixtures file (default: that of the current folder, else hub-sandbox.json)',
    '--from <url>': 'URL of the Hub (default: HF_ENDPOINT, else https://huggingface.co)',
    '--token <token>': 'Token for private and gated repos, sent to that Hub alone',
    '--check': 'Print what has changed there since the pull; write nothing',
    '--update': 'Pull the repos again that have changed',
  },
  connects: false,
  load: async () => (await import('../pull-command.ts')).pull,
  json: 'Print the result as JSON',
  apart: [
    ['check', 'update'],
    ...['check', 'update'].flatMap((way) =>
      ['revision', 'files', 'maxFile', 'from'].map((option) => [way, option]),
    ),
  ],
  examples: {
    'Copy a model, and start with it': 'hub-sandbox pull bob/gpt-tiny',
    'Copy one folder of a dataset': "hub-sandbox pull datasets/acme/corpus --files 'data/*'",
    'Find out whether pulled repos have changed': 'hub-sandbox pull --check',
  },
  ending: `It uses the network only when you run it, and waits when the Hub asks for it. Large files become stand-ins: files of the same size with a generated content. Files that you have edited in the fixtures stay as they are.
Exit codes: 0 pulled, or nothing has changed; 1 --check found changes; 2 invalid usage, or a repo or file that cannot be read or written.`,
}
