import { stem } from './stemming/stem.ts'

/**
 * Groups of English words of which people who ask often use one and documentation another. They are related, not the
 * same: a word stands for another only in the groups that name both.
 */
const GROUPS = `
    photo picture image screenshot graphic | delete remove erase destroy uninstall | delete clear empty prune |
    undo revert restore rollback | change edit modify update | change replace swap switch |
    customize change override adjust | create make add new | begin start launch |
    stop disable deactivate pause suspend | cancel stop abort | activate enable | show display view | show list |
    hide invisible hidden visibility | see view | bill invoice billing charge payment | price cost pricing fee |
    money payment refund | login signin authentication authenticate | login log sign |
    register signup registration account | password credential secret | mail email |
    notify notification alert notice | message notification | colleague member teammate user |
    employee user staff member | people user | customer client user | visitor user guest | person user |
    right permission access role | allow permit permission | forbid deny block restrict | let allow |
    spreadsheet csv excel table | phone mobile smartphone android ios | computer machine laptop desktop |
    folder directory | file document | page site | website site | address url link | internet web online |
    terminal console shell | terminal cli command | program application app software tool |
    library package module dependency | extension plugin addon | installation install setup |
    setting configuration option preference | configure setup set | automatic automatically auto |
    schedule cron interval | night daily schedule | error failure problem issue | error exception fail |
    broken corrupt fail error | wrong error incorrect | fix solve repair resolve | secure security protect |
    encrypt encryption https ssl tls certificate | protect encrypt lock | save store persist | keep store retain |
    backup copy | copy duplicate clone | move transfer migrate migration | upgrade update migration version |
    release publish version | release deploy | newest latest | old previous legacy outdated deprecated |
    test testing | try test | language locale translation internationalization |
    french german english dutch language translation | translate translation | colour color theme |
    look theme style appearance design | style css theme | font typeface typography | logo branding | icon favicon |
    wide width | size width height | fast speed performance quick | slow performance | search find | filter find |
    sort order | order sequence | diagram chart graph | month calendar | day date | event date calendar |
    share sharing | friend share | comment note remark | group team organization | company organization |
    invite invitation | limit maximum restrict | number count | log logging | log trace |
    debug debugger troubleshoot | explain glossary definition | word term | footnote note reference |
    include import embed | include insert | download export | upload import | film movie video | cookie session |
    spinner loading pending | form input field | button action | click press | check validate validation verify |
    valid validation validate | require mandatory required | private internal | public anonymous |
    server host hosting | host deploy deployment | container docker | cloud hosted | environment variable env |
    key token | browser chrome firefox client | frontend browser client | backend server api |
    refuse reject deny | hover tooltip | cover front | chapter page section | book document | author writer |
    reader user | project repository | subdirectory folder | render rendering output | output print | write log |
    readable pretty | rotate rotation | censor redact mask | redirect forward | measure analytics metric |
    statistics analytics insight dashboard | offline connection | cache caching | memory ram |
    several multiple | many multiple`

const related = new Map<string, Set<string>>()
for (const group of GROUPS.split('|')) {
  const stems = group.trim().split(/\s+/).map(stem)
  for (const word of stems) {
    const others = related.get(word) ?? new Set()
    related.set(word, others)
    for (const other of stems) if (other !== word) others.add(other)
  }
}

const NONE: ReadonlySet<string> = new Set()

/** Returns the words that documentation may use for an indexed word of a question. */
export function everydayWords(word: string): ReadonlySet<string> {
  return related.get(word) ?? NONE
}
