import type { Verb } from '../command.ts'
import { completionScripts, type Shell, shells } from '../completion/scripts.ts'
import { UsageError } from '../usage-error.ts'

export const verb: Verb = {
  name: 'completion',
  summary: 'Print what makes a shell complete commands, flags, words and ids',
  description:
    'Print what makes a shell complete commands, flags, the words they take, and ids, which are found by name, too: ' +
    'monitors get sho<Tab>. In ~/.bashrc: source <(monitorctl completion bash). In ~/.zshrc after compinit: ' +
    'source <(monitorctl completion zsh). In fish’s config.fish: monitorctl completion fish | source.',
  words: [['<SHELL>', shells.join(', ')]],
  examples: ['completion bash > /etc/bash_completion.d/monitorctl', 'completion zsh', 'completion fish'],
  async run({ session, words }) {
    const shell = words[0] as Shell
    if (!shells.includes(shell)) throw new UsageError(`SHELL: must be one of ${shells.join(', ')}, not "${words[0]}"`)
    session.io.stdout.write(completionScripts[shell])
  },
}
