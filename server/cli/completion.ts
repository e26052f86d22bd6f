import { CommandError } from './command-error.ts'
import { completeCommand } from './complete-command.ts'
import { print } from './output.ts'

/**
 * Completion scripts that call the command itself, so they know users, repos and apps. They use `npx --no`: without it,
 * npx would query the registry at each press of Tab in a project without the package.
 */
export const shells: ReadonlyMap<string, string> = new Map([
  [
    'bash',
    `_hub_sandbox() {
  local program=("\${COMP_WORDS[0]}") first=1
  if [[ "\${COMP_WORDS[0]##*/}" == npx ]]; then
    COMPREPLY=()
    [[ "\${COMP_WORDS[1]}" == --no ]] && first=2
    [[ "\${COMP_WORDS[first]}" == hub-sandbox && COMP_CWORD -gt first ]] || return
    program+=(--no hub-sandbox)
    first=$((first + 1))
  fi
  local IFS=$'\\n'
  COMPREPLY=($("\${program[@]}" ${completeCommand} -- "\${COMP_WORDS[@]:first:COMP_CWORD-first+1}" 2>/dev/null))
  # Bash has taken the word apart at the equals sign and puts back what stands behind it.
  [[ "\${COMP_WORDS[COMP_CWORD]}" == = || "\${COMP_WORDS[COMP_CWORD-1]}" == = ]] && COMPREPLY=("\${COMPREPLY[@]#--*=}")
  return 0
}
complete -o default -F _hub_sandbox hub-sandbox
complete -p npx >/dev/null 2>&1 || complete -o default -F _hub_sandbox npx`,
  ],
  [
    'zsh',
    `_hub_sandbox() {
  local -a program found
  local first=2
  program=("\${words[1]}")
  if [[ "\${words[1]:t}" == npx ]]; then
    [[ "\${words[2]}" == --no ]] && first=3
    if [[ "\${words[first]}" != hub-sandbox || CURRENT -le first ]]; then
      "\${_hub_sandbox_npx:-_default}"
      return
    fi
    program+=(--no hub-sandbox)
    first=$((first + 1))
  fi
  found=("\${(@f)$("\${program[@]}" ${completeCommand} -- "\${(@)words[first,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _hub_sandbox hub-sandbox
[[ "\${_comps[npx]}" == _hub_sandbox ]] || typeset -g _hub_sandbox_npx="\${_comps[npx]}"
compdef _hub_sandbox npx`,
  ],
  [
    'fish',
    `function __hub_sandbox_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    if string match -q '*npx' -- $program
        set program $program --no hub-sandbox
        test "$words[1]" = --no; and set -e words[1]
        set -e words[1]
    end
    set -l found ($program ${completeCommand} -- $words (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        string join \\n -- $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c hub-sandbox -f -a '(__hub_sandbox_complete)'
complete -c npx -n 'string match -qr "^\\\\S+ (--no )?hub-sandbox\\\\b" -- (commandline -opc | string join " ")' -f -a '(__hub_sandbox_complete)'
complete -c npx -n 'test (commandline -opc)[-1] = --no' -a hub-sandbox`,
  ],
])

/** Prints a completion script. */
export function completion(shell: string): void {
  const script = shells.get(shell)
  if (script === undefined) {
    throw new CommandError(`Unsupported shell: use one of ${[...shells.keys()].join(', ')}.`, {
      exitCode: 2,
    })
  }
  print(script)
}
