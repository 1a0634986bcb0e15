import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("bots", "0001_initial"),
        ("jobs", "0001_initial"),
        ("ladders", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Match",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("playing", "Playing"),
                            ("finished", "Finished"),
                            ("void", "Void"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("attempt", models.PositiveIntegerField(default=1)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("claim", models.CharField(blank=True, max_length=64)),
                ("machine", models.CharField(blank=True, max_length=100)),
                ("lease_until", models.DateTimeField(null=True)),
                ("sent_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("void_reason", models.CharField(blank=True, max_length=300)),
                ("is_rated", models.BooleanField()),
                ("is_newcomers", models.BooleanField(default=False)),
                (
                    "game",
                    models.CharField(
                        choices=[
                            ("sticheln", "sticheln"),
                            ("stop-it", "stop-it"),
                            ("color-stock", "color-stock"),
                        ],
                        max_length=20,
                    ),
                ),
                ("options", models.JSONField()),
                ("players", models.PositiveSmallIntegerField()),
                ("limits", models.JSONField()),
                ("seed", models.CharField(editable=False, max_length=64)),
                ("seed_sha256", models.CharField(max_length=64)),
                ("played_at", models.CharField(blank=True, max_length=40)),
                ("mode", models.CharField(blank=True, max_length=20)),
                ("legs_sha256", models.CharField(blank=True, max_length=64)),
                ("private_sha256", models.CharField(blank=True, max_length=64)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="challenges",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "ladder",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="matches",
                        to="ladders.ladder",
                    ),
                ),
                (
                    "refused_from",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="jobs.worker",
                    ),
                ),
                (
                    "worker",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="jobs.worker",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "matches",
                "ordering": ("-id",),
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("index", models.PositiveSmallIntegerField()),
                ("ranks", models.JSONField(default=list)),
                ("scores", models.JSONField(default=list)),
                ("points", models.IntegerField(null=True)),
                ("place", models.PositiveSmallIntegerField(null=True)),
                ("ahead", models.FloatField(null=True)),
                ("faults", models.PositiveSmallIntegerField(default=0)),
                ("rating_before", models.FloatField(null=True)),
                ("rating_after", models.FloatField(null=True)),
                (
                    "bot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to="bots.bot",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="seats",
                        to="ladders.entry",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="tournaments.match",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to="bots.version",
                    ),
                ),
            ],
            options={
                "ordering": ("match", "index"),
            },
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("state__in", ("waiting", "playing"))),
                fields=["state", "sent_at"],
                name="match_under_way",
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                fields=["ladder", "state", "-id"], name="tournaments_ladder__3b134d_idx"
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(fields=["state", "-id"], name="tournaments_state_97ee82_idx"),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(fields=["created_by", "-id"], name="tournaments_created_0178a2_idx"),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(fields=["finished_at"], name="tournaments_finishe_421c12_idx"),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("lease_until__isnull", False), ("state", "playing")),
                    models.Q(models.Q(("state", "playing"), _negated=True), ("lease_until", None)),
                    _connector="OR",
                ),
                name="match_leased_while_playing",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("finished_at__isnull", False), ("state__in", ("finished", "void"))),
                    models.Q(
                        models.Q(("state__in", ("finished", "void")), _negated=True),
                        ("finished_at", None),
                    ),
                    _connector="OR",
                ),
                name="match_finished_has_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(("is_rated", False), ("ladder__isnull", False), _connector="OR"),
                name="rated_match_has_a_ladder",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "finished"), _negated=True),
                    models.Q(("legs_sha256", ""), _negated=True),
                    _connector="OR",
                ),
                name="finished_match_has_legs",
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(fields=["bot", "-match"], name="tournaments_bot_id_1bfd14_idx"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("match", "index"), name="seat_once"),
        ),
    ]
