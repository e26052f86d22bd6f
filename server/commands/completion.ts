import type { Command } from 'commander'
import { CommandError } from './command-error.ts'
import { print } from './output.ts'

interface Words {
  /** What comes before: `clock`, or nothing for the program itself. */
  path: string
  /** Subcommands and flags. */
  words: string[]
}

const shells: Record<string, (words: readonly Words[]) => string> = { bash, zsh, fish }

/** Prints a completion script; it is made from the commands themselves. */
export function completion(shell: string, program: Command): void {
  const render = shells[shell]
  if (render === undefined) {
    throw new CommandError(`Completion is there for ${Object.keys(shells).join(', ')}.`, {
      exitCode: 2,
    })
  }
  print(render(collectWords(program, '')))
}

function collectWords(command: Command, path: string): Words[] {
  const flags = command.options.flatMap(({ long }) => long ?? [])
  const own = { path, words: [...command.commands.map((child) => child.name()), ...flags] }
  const below = command.commands.map((child) =>
    collectWords(child, path === '' ? child.name() : `${path} ${child.name()}`),
  )
  return [own, ...below.flat()]
}

function bash(words: readonly Words[]): string {
  const cases = words.map(
    ({ path, words: choices }) => `    "${path}") words="${choices.join(' ')}" ;;`,
  )
  return `_hub_sandbox() {
  local words="" path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || path="\${path:+$path }$word"
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _hub_sandbox hub-sandbox`
}

/** zsh reads completions for bash as well. */
function zsh(words: readonly Words[]): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash(words)}`
}

function fish(words: readonly Words[]): string {
  const lines = words.flatMap(({ path, words: choices }) => {
    const names = path === '' ? [] : path.split(' ')
    const condition =
      names.length === 0
        ? '__fish_use_subcommand'
        : names.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ')
    return choices.map((word) =>
      word.startsWith('--')
        ? `complete -c hub-sandbox -n '${condition}' -l ${word.slice(2)}`
        : `complete -c hub-sandbox -n '${condition}' -a ${word}`,
    )
  })
  return lines.join('\n')
}
