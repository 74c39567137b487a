/**
 * Constructs that writers of documentation and of chats use: the name, an example, the marks in it that no reader should
 * see, and the text that each should. The first ones are CommonMark's and GitHub's, the others belong to generators of
 * sites.
 */
export const constructs: readonly (readonly [name: string, markdown: string, marks: string, says: string])[] =
  [
    ['heading', '## Returns ##', '#', 'Returns'],
    ['underlined heading', 'Returns\n=======', '=', 'Returns'],
    ['emphasis', 'a *very* and __very__ good one', '*|__', 'a very and very good one'],
    ['nested emphasis', 'a **very *much* better** one', '*', 'very much better'],
    ['strike-through', 'a ~~bad~~ one', '~~', 'a bad one'],
    ['code', 'call `run()` now', '`', 'call run() now'],
    ['fenced code', '```js\nrun()\n```', 'js', 'run()'],
    ['link', 'see [the guide](https://a.example/b)', '](|a.example', 'the guide'],
    ['relative link', 'see [the guide](../b.md#c)', '](|b.md', 'the guide'],
    ['link with a title', "see [the guide](https://a.example 'Guide')", '](|a.example', 'the guide'],
    ['link by reference', 'see [the guide][1]\n\n[1]: https://a.example', '[|a.example', 'the guide'],
    ['link by its name', 'see [guide]\n\n[guide]: https://a.example', '[|a.example', 'guide'],
    ['address in brackets', 'see <https://a.example>', '<|>', 'https://a.example'],
    ['mail address in brackets', 'write to <help@a.example>', '<|>', 'help@a.example'],
    ['picture', '![A lamp](lamp.png)', '![|lamp.png', 'A lamp'],
    ['escapes', 'a \\*star\\* and 1\\. too', '\\', 'a *star* and 1. too'],
    ['entities', 'Terms &amp; conditions &#38; more', '&amp;|&#38;', 'Terms & conditions & more'],
    ['HTML', 'press <kbd>Enter</kbd><br>twice', '<', 'Enter'],
    ['comment', 'one <!-- hidden --> two', '<!--|hidden', 'one two'],
    ['quote', '> one\n> two', '>', 'one two'],
    ['callout', '> [!NOTE]\n> Mind the gap.', '[!', 'Mind the gap.'],
    ['table', '| a | b |\n|---|:-:|\n| 1 | 2 |', '--|:-', '1'],
    ['escaped pipe', '| a | b |\n|---|---|\n| x \\| y | 2 |', '\\', 'x | y'],
    ['task list', '- [x] done\n- [ ] not done', '[x]|[ ]', 'not done'],
    ['rule', 'one\n\n***\n\ntwo', '*', 'two'],
    ['text that folds', '<details><summary>More</summary>\n\nText\n\n</details>', '<', 'More'],
    ['front matter', '---\ntitle: Returns\ndraft: true\n---\n\nText', 'draft', 'Text'],
    ['anchor', '## Returns {#returns}', '{', 'Returns'],
    ['attributes', '## Returns {: .big #returns }', '{', 'Returns'],
    ['admonition', '!!! note "Mind"\n    The gap.', '!!!', 'Mind'],
    ['container', '::: tip Mind\nThe gap.\n:::', ':::', 'Mind'],
    ['MDX import', "import Tabs from '@theme/Tabs'\n\nText", 'import', 'Text'],
    ['MDX component', '<Tabs items={["npm", "yarn"]}>\n\nText\n\n</Tabs>', 'items|<Tabs', 'Text'],
    ['hint of GitBook', '{% hint style="info" %}\nText\n{% endhint %}', '{%', 'Text'],
    ['shortcode of Hugo', '{{< note >}}\nText\n{{< /note >}}', '{{', 'Text'],
    ['tabs of MkDocs', '=== "npm"\n\n    Text', '===', 'npm'],
  ]
