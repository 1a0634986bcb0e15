"""Mail: whatever it is about is done already, so a mail that cannot leave breaks nothing."""

import logging

from django.core.mail import EmailMessage

log = logging.getLogger("kibitz.mail")


def deliver(message: EmailMessage) -> None:
    """Sends a mail, or says in the log why it could not be sent."""
    try:
        message.send()
    except OSError as error:
        log.error("The mail %r could not be sent: %s", message.subject, error)
