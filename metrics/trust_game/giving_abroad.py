"""Sentences that say what the first player gives, in other languages than English.

Amounts are signs (`amounts`). Wanted is a verb of giving in the first person of the present or future
with an amount beside it, in the language's order of words; past forms are others and are not here. The
words follow common grammars; a language that is missing leaves its replies unread, and no other harm.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from otherminds.metrics.trust_game.amounts import ANY
from otherminds.metrics.trust_game.giving import Said

_WORDS = r"(?:[^\s.,;:!?\d\ue000\ue001]{1,15}\s){0,4}?"
_FEW = r"(?:[^\s.,;:!?\d\ue000\ue001]{1,15}\s){0,2}?"
_GERMAN = (
    r"(?:ab|weiter)?(?:gebe|geben|schicke|schicken|sende|senden|überweise|überweisen"
    r"|investiere|investieren|biete|bieten|überlasse|überlassen|zahle|zahlen|übergebe"
    r"|übergeben|setze|setzen|riskiere|riskieren|reiche|bleibe|entscheide)"
)
_FRENCH = (
    r"(?:donne(?:r|rai|rais)?|envoie|envoyer|enverrai|enverrais|transférer|transfère(?:rai)?"
    r"|transférerai|confie(?:r|rai)?|verse(?:r|rai)?|offre|offrir|offrirai|remets|remettre"
    r"|remettrai|mise(?:r|rai)?|investis|investir|investirai|céder|cède|laisse(?:r|rai)?"
    r"|opte(?:r|rai)?|choisis)"
)
_SPANISH = (
    r"(?:doy|daré|daría|dar(?:le|les|te)?|envío|envio|enviaré|enviaría|enviar(?:le|les)?"
    r"|entrego|entregaré|entregar(?:le|les)?|mando|mandaré|mandar(?:le|les)?|transfiero"
    r"|transferiré|transferir(?:le)?|invierto|invertiré|invertir|ofrezco|ofreceré"
    r"|ofrecer(?:le)?|apuesto|apostaré|paso|pasaré|confío|confiaré|cedo|elijo"
    r"|me\squedo\scon\sdar)"
)
_PORTUGUESE = (
    r"(?:dou|darei|daria|dar(?:-lhe)?|envio|enviarei|enviaria|enviar|mando|mandarei|mandar"
    r"|entrego|entregarei|entregar|transfiro|transferirei|transferir|invisto|investirei"
    r"|investir|ofereço|oferecerei|oferecer|aposto|apostarei|passo|passarei|repasso)"
)
_ITALIAN = (
    r"(?:do|darò|darei|dare|dargli|darle|invio|invierò|inviare|inviargli|mando|manderò|mandare"
    r"|consegno|consegnerò|consegnare|offro|offrirò|offrire|trasferisco|trasferirò|trasferire"
    r"|investo|investirò|investire|affido|affiderò|cedo|scelgo)"
)
_RUSSIAN = (
    r"(?:дам|даю|дать|отдам|отдаю|отдать|отправлю|отправляю|отправить|передам|передаю|передать"
    r"|пошлю|посылаю|послать|вложу|вкладываю|вложить|переведу|перевожу|перевести|рискну|давать"
    r"|отдавать|віддам|даю|надішлю|передаю|передати|віддати|дати)"
)
_POLISH = (
    r"(?:dam|daję|dać|wyślę|wysyłam|wysłać|przekażę|przekazuję|przekazać|oddam|oddaję|oddać"
    r"|przeleję|zainwestuję|inwestuję|powierzę|dám|dávám|pošlu|posílám|dať|dať|pošlem)"
)
_DUTCH = r"(?:geef|stuur|schenk|bied|investeer|draag|maak)"

_PATTERNS = [
    # German, with the verb before or after.
    rf"\bich\s{_FEW}{_GERMAN}\s{_WORDS}(?P<a>{ANY})",
    rf"\b{_GERMAN}\sich\s{_WORDS}(?P<a>{ANY})",
    rf"\b(?:ich\s(?:werde|würde|will|möchte)|(?:werde|würde|will|möchte)\sich"
    rf"|entscheide\s(?:ich\s)?mich(?:\sdafür)?,?"
    rf"|beschließe(?:\sich)?,?)\s{_WORDS}(?P<a>{ANY})\s{_WORDS}(?:zu\s)?(?:ab"
    rf"|weiter)?(?:zu)?(?:geben|schicken|senden|überweisen|investieren|anbieten|überlassen"
    rf"|zahlen|setzen)\b",
    # French, Spanish, Portuguese, Italian, Romanian, Catalan.
    rf"\b(?:je\s(?:lui\s|leur\s|vais\s(?:lui\s|leur\s)?|décide\sde\s(?:lui\s)?"
    rf"|choisis\sde\s(?:lui\s)?|préfère\s|compte\s(?:lui\s)?|veux\s|souhaite\s)?"
    rf"|j')(?:ai\sdécidé\sde\s(?:lui\s)?)?{_FRENCH}\s{_WORDS}(?P<a>{ANY})",
    rf"(?<!\w){_SPANISH}\s{_WORDS}(?P<a>{ANY})",
    rf"(?<!\w){_PORTUGUESE}\s{_WORDS}(?P<a>{ANY})",
    rf"(?<!\w)(?:(?:gli|le|loro)\s)?{_ITALIAN}\s{_FEW}(?P<a>{ANY})",
    rf"\b(?:voi\s(?:da|oferi|trimite|transfera)|dau|ofer|trimit|donaré|dono"
    rf"|enviaré)\s{_WORDS}(?P<a>{ANY})",
    # Slavic languages.
    rf"(?<!\w){_RUSSIAN}\s{_WORDS}(?P<a>{ANY})",
    rf"(?P<a>{ANY})\s(?:я\s)?(?:не\s)?(?:дам|даю|отдам|отправлю|передам)(?!\w)",
    rf"(?<!\w){_POLISH}\s{_WORDS}(?P<a>{ANY})",
    # Dutch and the Scandinavian languages, Finnish, Hungarian.
    rf"\b(?:ik\s{_FEW}{_DUTCH}|{_DUTCH}\sik)\s{_WORDS}(?P<a>{ANY})",
    rf"\b(?:ik\szal|zal\sik|ik\swil|wil\sik|ik\szou|zou\sik|ik\sga"
    rf"|ga\sik)\s{_WORDS}(?P<a>{ANY})\s{_WORDS}(?:te\s)?(?:geven|sturen|schenken|weggeven"
    rf"|investeren|afstaan)\b",
    rf"\b(?:jag|jeg|eg)\s{_FEW}(?:ger|ge|skickar|skicka|sender|sende|gir|gi|giver|give|satsar"
    rf"|satser)\s{_WORDS}(?P<a>{ANY})",
    rf"\b(?:annan|lähetän|antaisin|adok|küldök|fogok\sadni)\s{_WORDS}(?P<a>{ANY})",
    rf"(?P<a>{ANY})\s(?:adok|küldök|fogok\sadni|annan|lähetän)(?!\w)",
    # Turkish, Hindi, with the verb at the end.
    rf"(?P<a>{ANY})\s?{_FEW}(?:vereceğim|veriyorum|veririm|göndereceğim|gönderiyorum|gönderirim"
    rf"|yollayacağım|yatıracağım|vermeyi|vermeye|göndermeye)",
    rf"(?P<a>{ANY})\s?{_FEW}(?:दूंगा|दूंगी|दूँगा|दूँगी|दे\sरहा|दे\sरही|देता\sहूं|देता\sहूँ"
    rf"|देती\sहूं|देती\sहूँ|भेजूंगा|भेजूंगी|भेजूँगा|भेजूँगी|देने\sका)",
    # Vietnamese, Indonesian, Swahili, Arabic, Persian, Hebrew, Greek.
    rf"\b(?:tôi|mình)\s(?:sẽ\s|quyết\sđịnh\s|chỉ\s|muốn\s){{0,3}}(?:đưa|gửi|cho|chuyển|tặng"
    rf"|trao|chọn\sđưa)\s{_WORDS}(?P<a>{ANY})",
    rf"\b(?:saya|aku)\s(?:akan\s|memutuskan\suntuk\s|hanya\s|ingin\s){{0,3}}(?:memberi"
    rf"|memberikan|mengirim|mengirimkan|menyerahkan|mentransfer|menginvestasikan"
    rf"|kasih)\s{_WORDS}(?P<a>{ANY})",
    rf"\b(?:nitatoa|nitampa|natoa|nitatuma)\s{_WORDS}(?P<a>{ANY})",
    rf"(?:سأعطي|أعطي|سأرسل|أرسل|سأمنح|سأقدم|سأدفع|سأحول|سأستثمر|سوف\sأعطي|أن\sأعطي"
    rf"|أن\sأرسل)\S{{0,4}}\s{_WORDS}(?P<a>{ANY})",
    rf"(?P<a>{ANY})\s?{_FEW}(?:می‌دهم|می دهم|خواهم داد|می‌فرستم|می فرستم|خواهم فرستاد)",
    rf"(?:אתן|אעביר|אשלח|נותן|נותנת|שולח|שולחת)\s{_WORDS}(?P<a>{ANY})",
    rf"(?:θα\sδώσω|δίνω|θα\sστείλω|στέλνω)\s{_WORDS}(?P<a>{ANY})",
    # Chinese, not in the past; Japanese, Korean and Thai.
    rf"(?:给出|给|給|送出|送|发送|发给|寄|投资|投入|转给|转账|转出|转|交给|交出|分享|拿出|支付|付出|付|选择|出)(?!了|过|我)(?:对方|對方|他|她"
    rf"|TA|ta|第二个人|第二人|另一个人|另一方|别人|陌生人|对手|出去|出)?\s?(?:约|大约|只|整整|共"
    rf"|全部)?\s?(?P<a>{ANY})(?!\s?(?:给我|回来))",
    rf"(?:把|将)\s?(?P<a>{ANY})\s?(?:都|全部)?\s?(?:给|給|送|交|转|投)",
    rf"(?P<a>{ANY})\s?(?:を|だけ|だけを|ずつ)?\s?(?:相手に|相手へ|その人に|彼に|彼女に|プレイヤー2に)?\s?(?:渡|あげ|送|与え|投資|差し出"
    rf"|出|預け|託)(?:します|しま(?!し)|すことに|すつもり|そうと|そう|ます(?!し)|ることに|るつもり|りま(?!し)|ろう|すことを選|すことを決|す[。.]"
    rf"|る[。.]|し、)",
    rf"(?:今回は|私は|では|なので|ので),?\s?(?P<a>{ANY})(?:だけ)?に(?:します|しよう|する|決め|しておき)",
    rf"^(?P<a>{ANY})(?:都)?给(?!我)",
    rf"(?P<a>{ANY})\s?(?:를|을|만|만을)?\s?(?:상대방?에게|상대에게|그에게|그녀에게|두\s?번째\s?사람에게)?\s?(?:주겠|줄\s?것|주기로"
    rf"|줍니다|준다|줄게|줄\s?생각|주려|보내겠|보낼\s?것|보내기로|보냅니다|보낸다|드리겠|건네겠|건넬|투자하겠|투자할|내겠|맡기겠)",
    rf"(?:ฉันจะให้|ผมจะให้|จะให้|ขอให้)\s?{_FEW}(?P<a>{ANY})",
]
_NOTHING_GIVEN = re.compile(
    r"我(?:决定|选择|会|将)?(?:一分(?:钱)?都|什么都|一点都)?(?:不|不会|不想)给(?:任何钱|钱|了)?(?=[。.!,]|$)"
    r"|(?:何も|一円も|お金を)?渡(?:しません|さない(?=[。.]|$)|さないことに)|아무것도\s주지|주지\s않(?:겠|을\s것)"
)
_GIVEN = [re.compile(pattern, re.IGNORECASE) for pattern in _PATTERNS]
_IF = re.compile(
    r"(?<!\w)(?:wenn|falls|hätte|würden\ssie|si|quand|lorsque|cuando|aunque|se|quando|caso"
    r"|если|когда|якщо|jeśli|jeżeli|gdy|gdyby|als|indien|wanneer|om|hvis|nếu|khi|jika|kalau"
    r"|kapan|eğer|अगर|यदि|إذا|لو|اگر|אם|αν|без)(?!\w)"
    r"|如果|假如|要是|若|的话|もし|만약|ถ้า|可能会|也许会|虽然可以",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"(?<!\w)(?:nicht|kein\w{0,2}|nie|ne|n'|pas|jamais|nunca|jamás|no|não|nao|jamais|non|mai"
    r"|не|нельзя|ні|nie|nigdy|niet|geen|nooit|inte|ikke|aldrig|không|tidak|bukan|nahi|नहीं|لا"
    r"|لن|لم|نه|לא|δεν|değil|en)(?!\w)"
    r"|不(?!过|仅)|没|別|ない|ません|않|지\s?않",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"(?<!\w)(?:er|sie|die\sandere|der\sandere|il|elle|l'autre|él|ella|el\sotro|la\sotra|ele"
    r"|ela|o\soutro|lui|lei|l'altro|он|она|другой|он\sмне|zij|hij|han|hun|hon|dia|mereka"
    r"|anh\sấy|cô\sấy|họ)\s(?:\S+\s){0,2}$"
    r"|(?:对方|對方|他|她|第二个人|另一个人)(?:会|可能|应该|也|就|将|只|都)*\s?$|相手(?:は|が)[^。,]{0,20}$|상대(?:방)?(?:은|는"
    r"|이|가)[^.,]{0,15}$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.;:!?\n\uff1a。,\uff0c\u3001]")


def said_abroad(text: str, nothing: Container[int]) -> Iterator[Said]:
    """All that `text` says is given, unless its clause has a condition, a negation or another giver.

    nothing  the places of signs for words like "nothing", which have a negation beside them
    """
    for found in _NOTHING_GIVEN.finditer(text):
        yield Said(found.start(), found.end(), -1, is_nothing=True)
    for pattern in _GIVEN:
        for found in pattern.finditer(text):
            clause = _CLAUSE.split(text[max(0, found.start() - 60) : found.start()])[-1]
            within = clause + found[0]
            denied = _NOT.search(within) and found.start("a") not in nothing
            if _IF.search(within) or denied or _OTHER.search(clause):
                continue
            yield Said(found.start(), found.end(), found.start("a"))
