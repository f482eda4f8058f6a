import type { Command, Help, Option } from 'commander'

/** Heading of the flags that every command takes; they come last. */
export const globalGroup = 'Global options:'

/** Help with what one can do before how: commander lists the options first. */
export function formatHelp(command: Command, help: Help): string {
  const width = help.padWidth(command, help)
  const item = (term: string, description: string) => help.formatItem(term, width, description, help)
  const usage = `${help.styleTitle('Usage:')} ${help.styleUsage(help.commandUsage(command))}`
  const about = help.boxWrap(help.commandDescription(command), help.helpWidth ?? 80)
  const words = help
    .visibleArguments(command)
    .map(word => item(help.argumentTerm(word), help.argumentDescription(word)))
  const commands = help.groupItems([...command.commands], help.visibleCommands(command), each =>
    each.name() === 'help' ? '' : each.helpGroup() || 'Commands:',
  )
  const options = help.groupItems<Option>(
    [...command.options],
    help.visibleOptions(command),
    each => each.helpGroupHeading ?? 'Options:',
  )
  const last = [...options].sort(([a], [b]) => Number(a === globalGroup) - Number(b === globalGroup))
  return [
    [usage, ''],
    [about, ''],
    help.formatItemList('Arguments:', words, help),
    ...[...commands].map(([heading, group]) =>
      heading === ''
        ? []
        : help.formatItemList(
            heading,
            group.map(each => item(help.subcommandTerm(each), help.subcommandDescription(each))),
            help,
          ),
    ),
    ...last.map(([heading, group]) =>
      help.formatItemList(
        heading,
        group.map(each => item(help.optionTerm(each), help.optionDescription(each))),
        help,
      ),
    ),
  ]
    .flat()
    .join('\n')
}
