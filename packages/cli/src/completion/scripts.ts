/** Shells that completion is there for. */
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

// Each asks the program itself what could follow, so that a new command is completed without a new script.
// Lines are a candidate, a tab and what it means; `:files` leaves it to the shell.

const bash = `# monitorctl completion for bash. In ~/.bashrc: source <(monitorctl completion bash)
_monitorctl() {
  local line form=bash before= rest=$COMP_LINE redirects='^[0-9]*[<>&|]' at
  local -a words=()
  # bash breaks words at = and : too; what has no blank before it belongs to the word before it.
  for ((at = 0; at <= COMP_CWORD; at++)); do
    if ((at > 0)) && [[ -n $rest && $rest != [[:space:]]* && ! \${COMP_WORDS[at-1]} =~ $redirects && ! \${COMP_WORDS[at]} =~ $redirects ]]; then
      before=\${words[-1]}
      words[-1]+=\${COMP_WORDS[at]}
    else
      before=
      words+=("\${COMP_WORDS[at]}")
    fi
    rest="\${rest#"\${rest%%[![:space:]]*}"}"
    rest="\${rest#"\${COMP_WORDS[at]}"}"
  done
  local current="\${words[-1]}"
  # Only what is after the last break is replaced.
  [[ \${COMP_WORDS[COMP_CWORD]} == [=:]* ]] && before=$current
  unset 'words[-1]'
  # When each is put in one after the other, an explanation beside it would be put in, too.
  if [[ $COMP_TYPE == 37 || $COMP_TYPE == 42 ]]; then form=plain; fi
  COMPREPLY=()
  if [[ \${words[-1]} =~ $redirects ]]; then
    compopt -o default 2>/dev/null
    return
  fi
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o filenames -o default 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${current#"$before"}")
      return
    fi
    COMPREPLY+=("\${line#"$before"}")
  done < <("\${COMP_WORDS[0]}" __complete "$form" "$current" "\${words[@]:1}" 2>/dev/null)
}
complete -o bashdefault -F _monitorctl monitorctl
`

const zsh = `#compdef monitorctl
# monitorctl completion for zsh. In ~/.zshrc, after compinit: source <(monitorctl completion zsh)
_monitorctl() {
  local line
  local -a lines values shown
  lines=("\${(@f)$("\${words[1]}" __complete zsh "\${words[CURRENT]}" "\${(@)words[2,CURRENT-1]}" 2>/dev/null)}")
  if [[ \${lines[1]} == :files ]]; then
    _files
    return
  fi
  for line in $lines; do
    [[ -n $line ]] || continue
    values+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  -- }")
  done
  (( $#values )) || return
  # -U: what was typed may be a part of a name, and is replaced by the id.
  compadd -U -l -d shown -a values
  # Of several that have the name, none is meant yet: what was typed stays, beneath it is what there is.
  if (( $#values > 1 && \${#values:#\${(b)words[CURRENT]}*} )); then
    compstate[insert]=
    compstate[list]='list force'
  fi
}
if [[ $funcstack[1] == _monitorctl ]]; then
  _monitorctl "$@"
elif (( $+functions[compdef] )); then
  compdef _monitorctl monitorctl
fi
`

const fish = `# monitorctl completion for fish. In ~/.config/fish/config.fish: monitorctl completion fish | source
function __monitorctl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($words[1] __complete fish "$current" $words[2..] 2>/dev/null)
    if test "$lines[1]" = :files
        __fish_complete_path (commandline -ct)
        return
    end
    printf '%s\\n' $lines
end
complete -c monitorctl -f -a '(__monitorctl_complete)'
`

export const completionScripts: Record<Shell, string> = { bash, zsh, fish }
